import { setTimeout as pause } from 'node:timers/promises';

import { afterEach, describe, expect, it } from 'vitest';

import { Ear, HELLO, reply, serveByHand, startFixture, streamOf } from '../testing/http-peer.js';
import { openHttpOrSse } from './http-or-sse.js';

const open: { close(): Promise<unknown> }[] = [];

afterEach(async () => {
  await Promise.all(open.splice(0).map((each) => each.close()));
});

function ear(url: string, notices: string[] = []): Ear {
  const onNotice = (message: string): void => void notices.push(message);
  const made = new Ear(openHttpOrSse({ url, headers: {}, maxMessageBytes: 100_000, onNotice }));
  open.push(made.channel);
  return made;
}

describe('an address of an unknown kind', () => {
  it.each([['--http'], ['--sse']])('is understood if it is served with %s', async (flag) => {
    const fixture = await startFixture('plain-child', flag, '0');
    open.push({ close: fixture.stop });
    const client = ear(fixture.url);
    const hello = client.ask('initialize', HELLO);
    const early = client.ask('tools/list');
    await client.answer(hello);
    client.tell('notifications/initialized');
    await client.answer(early);
    const id = client.ask('tools/call', { name: 'add', arguments: { a: 1, b: 2 } });
    expect(await client.answer(id)).toMatchObject({ result: { structuredContent: { sum: 3 } } });
    const answers = client.heard.filter(({ message }) => message['id'] === hello);
    expect(answers).toHaveLength(1);
  });

  it.each([400, 404, 405])('says HTTP %i if it is neither', async (status) => {
    const server = await serveByHand((_, res) => res.writeHead(status).end('<p>No'));
    open.push(server);
    const notices: string[] = [];
    const client = ear(server.url, notices);
    expect(await client.failure('initialize')).toEqual({
      code: -32000,
      message: `HTTP ${status} from ${server.url}`,
      data: { status },
    });
    expect(client.closed).toEqual([`HTTP ${status} from ${server.url}`]);
    expect(notices).toHaveLength(1);
  });

  it('is not tried over the older transport if its refusal is an answer', async () => {
    const error = { code: -32022, message: 'Unsupported protocol version' };
    let status = 400;
    const server = await serveByHand(({ message: { id } }, res) =>
      reply(res, status, { jsonrpc: '2.0', id, error }),
    );
    open.push(server);
    expect(await ear(server.url).failure('initialize')).toEqual(error);
    status = 401;
    expect(await ear(server.url).failure('initialize')).toEqual(error);
    expect(server.seen).toHaveLength(2);
  });

  it('does not get messages that were cancelled in the meantime', async () => {
    const posted: unknown[] = [];
    const server = await serveByHand(async ({ method, path, message }, res) => {
      if (method === 'GET') return streamOf(res)('/post', 'event: endpoint\n');
      if (path === '/mcp') {
        await pause(50);
        return res.writeHead(405).end();
      }
      posted.push(message['method']);
      return res.writeHead(202).end();
    });
    open.push(server);
    const client = ear(server.url);
    client.ask('initialize');
    expect(client.channel.abandon(client.ask('tools/call'))).toBe(true);
    client.ask('tools/list');
    await client.until(() => posted.length === 2);
    expect(posted).toEqual(['initialize', 'tools/list']);
  });
});
