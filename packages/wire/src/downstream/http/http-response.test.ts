import { createServer, get, type IncomingMessage, type ServerResponse } from 'node:http';
import type { AddressInfo } from 'node:net';
import { setImmediate as nextTurn } from 'node:timers/promises';

import { describe, expect, it, onTestFinished } from 'vitest';

import { LongText } from '../../rpc/stream/long-text.js';
import type { Account } from './connection-limits.js';
import { HttpResponse } from './http-response.js';
import { FakeResponse } from './testing/fake-response.js';

/** The head of a response as the client gets it. */
async function headOf(send: (answer: HttpResponse) => void): Promise<IncomingMessage> {
  const server = createServer((_, response) =>
    send(new HttpResponse(response).with({ vary: 'origin' })),
  );
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
  onTestFinished(() => {
    server.closeAllConnections();
    server.close();
  });
  const { port } = server.address() as AddressInfo;
  return new Promise((resolve, reject) => {
    get({ port, host: '127.0.0.1', agent: false }, (response) => {
      response.resume();
      resolve(response);
    }).on('error', reject);
  });
}

describe('an answer over HTTP', () => {
  it.each<[string, number, (answer: HttpResponse) => void]>([
    ['JSON', 200, (answer) => answer.json(200, '{"ä":1}')],
    ['long JSON', 200, (answer) => answer.json(200, new LongText('{', Buffer.from('"a":1'), '}'))],
    ['a text', 404, (answer) => answer.text(404, 'text/plain', 'x'.repeat(20_000))],
    ['nothing', 202, (answer) => answer.empty(202)],
    ['a stream', 200, (answer) => answer.startStream()],
  ])('has every header once, and those that were added: %s', async (_, status, send) => {
    const { statusCode, headers, rawHeaders } = await headOf((answer) =>
      send(answer.with({ 'mcp-session-id': 'one' })),
    );
    expect(statusCode).toBe(status);
    expect(headers).toMatchObject({ vary: 'origin', 'mcp-session-id': 'one' });
    const names = rawHeaders.filter((__, i) => i % 2 === 0).map((name) => name.toLowerCase());
    expect(names).toEqual([...new Set(names)]);
  });

  it('counts bytes, not letters', async () => {
    const { headers } = await headOf((answer) => answer.json(200, '{"ä":"€"}'));
    expect(headers).toMatchObject({ 'content-type': 'application/json', 'content-length': '12' });
  });

  it('a client that reads too slowly misses notifications, but no question and no answer', async () => {
    const sent: boolean[] = [];
    const progress = '{"jsonrpc":"2.0","method":"notifications/progress","params":{}}';
    const server = createServer((_, response) => {
      const answer = new HttpResponse(response);
      answer.startStream();
      sent.push(answer.event(progress));
      answer.event('x'.repeat(8 * 1024 * 1024));
      sent.push(answer.event(progress), answer.event('{"jsonrpc":"2.0","id":1,"result":{}}'));
      answer.end();
    });
    await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
    onTestFinished(() => void server.close());
    const { port } = server.address() as AddressInfo;
    const text = await (await fetch(`http://127.0.0.1:${port}`)).text();
    expect(sent).toEqual([true, false, true]);
    expect(text.split(progress)).toHaveLength(2);
    expect(text).toMatch(/"id":1,"result":\{\}\}\n\n$/);
  });
});

const LENGTH = 2 * 1024 * 1024;
const TURN = 256 * 1024;
const PIECE = 16 * 1024;

function sending(text: string) {
  const response = new FakeResponse();
  let waiting = 0;
  const account: Account = {
    queue: (bytes) => {
      waiting += bytes;
      return true;
    },
    release: (bytes) => void (waiting -= bytes),
  };
  const answer = new HttpResponse(response as unknown as ServerResponse, account);
  answer.json(200, text);
  return { response, waiting: () => waiting };
}

describe('a long text for a client that takes everything at once', () => {
  it('F2: is sent over several turns, so that others do not wait', async () => {
    const { response, waiting } = sending('x'.repeat(LENGTH));
    for (let turn = 1; turn < LENGTH / TURN; turn++) {
      expect([response.length, waiting()]).toEqual([turn * TURN, LENGTH - turn * TURN]);
      expect(response.writableEnded).toBe(false);
      await nextTurn();
    }
    expect([response.length, waiting(), response.writableEnded]).toEqual([LENGTH, 0, true]);
  });

  it('is counted in bytes', async () => {
    const { response, waiting } = sending('\u00E9'.repeat(2 * TURN));
    expect(waiting()).toBe(2 * TURN);
    await nextTurn();
    expect([response.length, waiting()]).toEqual([2 * TURN, 0]);
  });

  it('is not sent any more after the client has disconnected, and no longer counts', async () => {
    const { response, waiting } = sending('x'.repeat(LENGTH));
    response.close();
    await nextTurn();
    expect([response.length, response.writableEnded, waiting()]).toEqual([TURN, false, 0]);
  });
});

describe('a long text for a client that takes one piece at a time', () => {
  it('is sent whole, although Node never asks to wait', () => {
    const response = new FakeResponse();
    const taken: (() => void)[] = [];
    response.onPiece = (onTaken) => {
      taken.push(onTaken);
      // With a larger limit than ours, no `drain` will come.
      response.writableLength = taken.length * PIECE;
    };
    response.asResponse.json(200, 'x'.repeat(4 * PIECE));
    expect(response.pieces).toHaveLength(1);
    while (taken.length > 0) {
      const next = taken.shift()!;
      response.writableLength = taken.length * PIECE;
      next();
    }
    expect(response.pieces.map(({ length }) => length)).toEqual([PIECE, PIECE, PIECE, PIECE]);
    expect(response.writableEnded).toBe(true);
  });

  it('is sent after other data that the client has not taken', () => {
    const response = new FakeResponse();
    response.writableLength = 2 * PIECE;
    response.asResponse.json(200, 'x'.repeat(4 * PIECE));
    expect(response.pieces).toHaveLength(1);
  });
});
