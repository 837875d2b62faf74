import { createServer, get, type IncomingMessage } from 'node:http';
import type { AddressInfo } from 'node:net';

import { describe, expect, it, onTestFinished } from 'vitest';

import { NodeResponder } from '../../rpc/http-server/responder.js';
import { LongText } from '../../rpc/stream/long-text.js';
import { Answer } from './answer.js';

/** The head of a response as the client gets it. */
async function headOf(send: (answer: Answer) => void): Promise<IncomingMessage> {
  const server = createServer((_, response) =>
    send(new Answer(new NodeResponder(response), { vary: 'origin' })),
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
  it.each<[string, number, (answer: Answer) => void]>([
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
      const answer = new Answer(new NodeResponder(response));
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
