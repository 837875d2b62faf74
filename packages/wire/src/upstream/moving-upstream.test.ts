/** A server that moves between instances: which calls are sent to its next place, and which are not. */

import type { ServerResponse } from 'node:http';

import { Call, type Caller, type Reply } from '@callsign/core';
import { describe, expect, it, onTestFinished } from 'vitest';

import { readMessage } from '../rpc/message/message.js';
import { reply, serveByHand, type HandServer, type Seen } from '../testing/http-peer.js';
import { openHttp } from './http-channel.js';
import type { Transport } from './link-options.js';
import { Upstream } from './upstream.js';

type OnCall = (res: ServerResponse, seen: Seen) => void;

/** A place where the server is reached. `onCall` answers calls. */
async function place(onCall: OnCall): Promise<HandServer & { readonly calls: () => number }> {
  const server = await serveByHand((seen, res) => {
    const { id, method } = seen.message;
    if (method === 'tools/call') return onCall(res, seen);
    if (seen.method !== 'POST') return reply(res, 405, {});
    if (id === undefined) return res.writeHead(202).end();
    if (method !== 'initialize') return reply(res, 200, answer(id, { tools: [{ name: 'work' }] }));
    return res.writeHead(200, { 'content-type': 'application/json', 'mcp-session-id': 's' }).end(
      JSON.stringify(
        answer(id, {
          protocolVersion: '2025-11-25',
          capabilities: { tools: {} },
          serverInfo: { name: 'x', version: '1' },
        }),
      ),
    );
  });
  onTestFinished(() => server.close());
  const calls = (): number =>
    server.seen.filter(({ message }) => message['method'] === 'tools/call').length;
  return Object.assign(server, { calls });
}

/** The server is at the first place until that one says that it has moved, then at the second. */
async function moving(first: HandServer, second: HandServer): Promise<Upstream> {
  let url = first.url;
  const where = async (): Promise<Transport> => ({
    onePipe: false,
    isMoving: true,
    era: 'session',
    open: () =>
      openHttp({
        url,
        headers: {},
        era: 'session',
        maxMessageBytes: 100_000,
        onMisdirected: () => {
          url = second.url;
          void upstream.move();
        },
      }),
  });
  const upstream = new Upstream({
    key: 's',
    transport: { where },
    self: { name: 'callsign', version: '0' },
    restart: { initialMs: 10, maxMs: 20, giveUpAfter: 3 },
  });
  onTestFinished(() => upstream.stop());
  await upstream.start();
  expect(upstream.state).toEqual({ is: 'ready' });
  return upstream;
}

function work(upstream: Upstream): Promise<Reply> {
  const caller: Caller = {
    id: 'c',
    era: 'session',
    client: { name: 'c', version: '1' },
    capabilities: '{}',
    can: () => false,
  };
  const text = '{"method":"tools/call","params":{"name":"work","arguments":{}}}';
  const read = readMessage(text)!;
  const call = new Call({ ...read, method: 'tools/call', name: 'work', caller } as never);
  return upstream.route('tool', 'work')!.send(call);
}

const answer = (id: unknown, result: object): object => ({ jsonrpc: '2.0', id, result });
const done: OnCall = (res, { message }) => reply(res, 200, answer(message['id'], { content: [] }));

describe('a call to a server that moves', () => {
  it('goes to the next place if the first one says that it has not run it', async () => {
    const [first, second] = [await place((res) => res.writeHead(421).end()), await place(done)];
    const upstream = await moving(first, second);
    const replies = await Promise.all([1, 2, 3].map(() => work(upstream)));
    expect(replies.map(({ ok }) => ok)).toEqual([true, true, true]);
    expect([first.calls(), second.calls()]).toEqual([3, 3]);
  });

  it('gets its answer from the first place if it was accepted before the move', async () => {
    const held: (() => void)[] = [];
    const first = await place((res, seen) => {
      if (held.length > 0) return void res.writeHead(421).end();
      held.push(() => done(res, seen));
    });
    const second = await place(done);
    const upstream = await moving(first, second);
    const accepted = work(upstream);
    await expect.poll(() => held.length).toBe(1);
    expect(await work(upstream)).toMatchObject({ ok: true });
    expect([first.calls(), second.calls()]).toEqual([2, 1]);
    held[0]!();
    expect(await accepted).toMatchObject({ ok: true });
    expect(second.calls()).toBe(1);
  });

  it.each([
    ['the connection breaks', (res: ServerResponse) => void res.destroy()],
    ['its session is unknown', (res: ServerResponse) => void res.writeHead(404).end()],
    ['the first place is busy', (res: ServerResponse) => void res.writeHead(503).end()],
  ])('is not sent again if %s', async (_, onCall) => {
    const [first, second] = [await place(onCall), await place(done)];
    const upstream = await moving(first, second);
    expect(await work(upstream)).toMatchObject({ ok: false });
    expect([first.calls(), second.calls()]).toEqual([1, 0]);
  });
});

describe('a server of which no instance is known', () => {
  it('has settled at the limit of a start, and starts later', async () => {
    const here = await place((res) => reply(res, 200, {}));
    let find: (() => void) | undefined;
    const found = new Promise<void>((resolve) => {
      find = resolve;
    });
    const upstream = new Upstream({
      key: 's',
      self: { name: 'callsign', version: '0' },
      // Also the limit of the handshake, which must not be missed on a busy machine.
      startTimeoutMs: 2_000,
      transport: {
        where: async () => {
          await found;
          const options = { url: here.url, headers: {}, maxMessageBytes: 100_000 };
          const open: Transport['open'] = (era) => openHttp({ ...options, era });
          return { onePipe: false, isMoving: true, era: 'session', open };
        },
      },
    });
    onTestFinished(() => upstream.stop());
    const started = upstream.start();
    await upstream.settled;
    expect(upstream.state).toEqual({ is: 'starting' });
    find!();
    await started;
    expect(upstream.state).toEqual({ is: 'ready' });
  });
});
