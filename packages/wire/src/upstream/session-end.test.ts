import type { ServerResponse } from 'node:http';

import { Call, type Caller, type Reply } from '@callsign/core';
import { describe, expect, it, onTestFinished } from 'vitest';

import { readMessage } from '../rpc/message/message.js';
import { serveByHand, type Seen } from '../testing/http-peer.js';
import { openHttp } from './http-channel.js';
import { Upstream } from './upstream.js';

const CALLER: Caller = {
  id: 'c',
  era: 'session',
  client: { name: 'c', version: '1' },
  capabilities: '{}',
  can: () => false,
};
const RESULT = {
  protocolVersion: '2025-11-25',
  capabilities: { tools: {} },
  serverInfo: { name: 's', version: '1' },
  tools: [{ name: 'work', inputSchema: { type: 'object' } }],
};

const hint = (value: boolean) => ({ value, evidence: { by: 'default' } });
const HINTS = {
  readOnlyHint: hint(false),
  destructiveHint: hint(true),
  idempotentHint: hint(false),
  openWorldHint: hint(true),
};

/** A call that the server has taken, whose answer the test writes. */
interface Held {
  readonly n: number;
  readonly id: unknown;
  readonly res: ServerResponse;
}

/**
 * A server that can forget its session. `held`: numbers of calls that the test answers itself. `missing`: numbers of
 * calls that it always answers with 404.
 */
async function forgetful(held: readonly number[] = [], missing: readonly number[] = []) {
  const state = {
    session: 0,
    taken: [] as string[],
    waiting: [] as Held[],
    refused: 0,
    resumed: 0,
  };
  let refuse: ((res: ServerResponse) => void) | undefined;
  const server = await serveByHand(({ method, headers, message }: Seen, res) => {
    const isKnown = headers['mcp-session-id'] === `s${state.session}`;
    const { id } = message;
    if (message['method'] === 'initialize') {
      const own = { 'mcp-session-id': `s${++state.session}` };
      return res.writeHead(200, { 'content-type': 'application/json', ...own }).end(answer(id));
    }
    if (!isKnown) {
      if (headers['last-event-id'] !== undefined) state.resumed++;
      if (message['method'] !== 'tools/call') return res.writeHead(404).end();
      state.refused++;
      return refuse ? refuse(res) : res.writeHead(404).end();
    }
    if (method !== 'POST') return res.writeHead(405).end();
    if (id === undefined) return res.writeHead(202).end();
    if (message['method'] !== 'tools/call') return json(res, id);
    const { n } = (message['params'] as { arguments: { n: number } }).arguments;
    state.taken.push(`${n} in s${state.session}`);
    if (missing.includes(n)) return res.writeHead(404).end();
    if (!held.includes(n)) return json(res, id);
    return state.waiting.push({ n, id, res });
  });
  onTestFinished(() => server.close());
  const upstream = new Upstream({
    key: 's',
    transport: {
      open: (era) => openHttp({ url: server.url, era, headers: {}, maxMessageBytes: 1_000_000 }),
      onePipe: false,
    },
    era: 'session',
    self: { name: 'callsign', version: '0' },
    restart: { initialMs: 50, maxMs: 200, giveUpAfter: 3 },
  });
  onTestFinished(() => upstream.stop());
  await upstream.start();
  expect(upstream.state).toEqual({ is: 'ready' });
  return {
    state,
    upstream,
    /** As after a restart: no session is known until the next handshake. */
    forget(how?: (res: ServerResponse) => void) {
      state.session++;
      refuse = how;
    },
    send(n: number): Promise<Reply> {
      const params = { name: 'work', arguments: { n } };
      const text = JSON.stringify({ method: 'tools/call', params });
      const { item, send } = upstream.route('tool', 'work')!;
      const ref = { server: 's', tool: 'work' };
      const target = { item, canonical: 's:work', ref, hints: HINTS };
      const call = new Call({
        ...readMessage(text)!,
        method: 'tools/call',
        name: 'work',
        caller: CALLER,
        target,
      } as never);
      return send(call);
    },
  };
}

function answer(id: unknown): string {
  return JSON.stringify({ jsonrpc: '2.0', id, result: RESULT });
}

function json(res: ServerResponse, id: unknown): void {
  res.writeHead(200, { 'content-type': 'application/json' }).end(answer(id));
}

describe('calls under way when a server has dropped their session', () => {
  it('are all made once, in the new session, if the server refused them', async () => {
    const { state, forget, send } = await forgetful();
    const late: ServerResponse[] = [];
    // One refusal comes at once. The others come after the new session is open.
    forget((res) => {
      if (state.refused === 1) res.writeHead(404).end();
      else late.push(res);
    });
    const replies = Promise.all(Array.from({ length: 20 }, (_, n) => send(n)));
    await expect.poll(() => late.length).toBe(19);
    await expect.poll(() => state.taken.length).toBe(1);
    for (const res of late) res.writeHead(404).end();
    expect((await replies).map(({ ok }) => ok)).toEqual(Array.from({ length: 20 }, () => true));
    const wanted = Array.from({ length: 20 }, (_, n) => `${n} in s${state.session}`);
    expect(state.taken.toSorted()).toEqual(wanted.toSorted());
  });

  it('get their answers if the server took them before', async () => {
    const { state, forget, send } = await forgetful([1]);
    const early = send(1);
    await expect.poll(() => state.waiting.length).toBe(1);
    forget();
    expect(await send(2)).toMatchObject({ ok: true });
    json(state.waiting[0]!.res, state.waiting[0]!.id);
    expect(await early).toMatchObject({ ok: true });
    expect(state.taken).toEqual(['1 in s1', `2 in s${state.session}`]);
  });

  it('fail, and are not made again, if they may have run', async () => {
    const { state, forget, send } = await forgetful([1]);
    const early = send(1);
    await expect.poll(() => state.waiting.length).toBe(1);
    forget();
    expect(await send(2)).toMatchObject({ ok: true });
    state.waiting[0]!.res.destroy();
    expect((await early).fault?.code).toBe('upstream-closed');
    expect(state.taken).toEqual(['1 in s1', `2 in s${state.session}`]);
  });

  it('fail, and are not made again, if their stream broke and the session is gone', async () => {
    const { state, forget, send } = await forgetful([1]);
    const early = send(1);
    await expect.poll(() => state.waiting.length).toBe(1);
    const { res } = state.waiting[0]!;
    res.writeHead(200, { 'content-type': 'text/event-stream' });
    res.write('id: 1\nretry: 50\ndata:\n\n');
    forget();
    // The stream is continued with a GET, which gets 404.
    res.end();
    expect((await early).fault).toMatchObject({ code: 'upstream-closed' });
    expect(state.resumed).toBe(1);
    expect(await send(2)).toMatchObject({ ok: true });
    expect(state.taken).toEqual(['1 in s1', `2 in s${state.session}`]);
  });

  it('fail by themselves if a new session refuses them too', async () => {
    const { state, send, upstream } = await forgetful([], [1]);
    for (let n = 0; n < 5; n++) {
      const { fault } = await send(1);
      expect(fault).toMatchObject({ code: 'upstream-unavailable', details: { status: 404 } });
      const session = `s${state.session}`;
      expect(await send(2)).toMatchObject({ ok: true });
      expect(state.taken.splice(0).slice(1)).toEqual([`1 in ${session}`, `2 in ${session}`]);
    }
    // More sessions have ended than starts may fail in a row.
    expect(upstream.state).toEqual({ is: 'ready' });
  });

  it('do not keep a new session waiting', async () => {
    const { state, forget, send, upstream } = await forgetful([1]);
    const early = send(1);
    await expect.poll(() => state.waiting.length).toBe(1);
    forget();
    await send(2);
    await send(3);
    expect(upstream.state).toEqual({ is: 'ready' });
    expect(state.taken.slice(1)).toEqual([2, 3].map((n) => `${n} in s${state.session}`));
    await upstream.stop();
    json(state.waiting[0]!.res, state.waiting[0]!.id);
    expect(await early).toMatchObject({ ok: true });
  });
});
