import type { Log } from '@callsign/core';
import { fakeCall } from '@callsign/core/testing';
import { describe, expect, it, onTestFinished, vi } from 'vitest';

import type { ChannelEvents } from '../rpc/stream/channel.js';
import { Upstream } from './upstream.js';

interface Request {
  readonly id: number;
  readonly method: string;
  readonly params?: unknown;
}

/** A stateless server in memory, which remembers what it was asked. */
function statelessServer(
  tools: readonly object[] = [{ name: 'x', inputSchema: { type: 'object' } }],
) {
  const asked: Request[] = [];
  let events: ChannelEvents | undefined;
  const answer = (id: number, body: object) =>
    events?.onText(JSON.stringify({ jsonrpc: '2.0', id, ...body }));
  const results: Record<string, object> = {
    'server/discover': { supportedVersions: ['2026-07-28'], capabilities: { tools: {} } },
    'tools/list': { tools },
  };
  const server = {
    results,
    onAsked: undefined as ((request: Request) => void) | undefined,
    say: (message: object) => events?.onText(JSON.stringify({ jsonrpc: '2.0', ...message })),
    asked: (method: string) => asked.filter((request) => request.method === method),
    answer,
    tell: (method: string) => events?.onText(JSON.stringify({ jsonrpc: '2.0', method })),
    transport: {
      onePipe: true,
      open: () => (opened: ChannelEvents) => {
        events = opened;
        return {
          backlog: 0,
          send(text: string) {
            const request = JSON.parse(text) as Request;
            asked.push(request);
            const result = results[request.method];
            if (result) queueMicrotask(() => answer(request.id, { result }));
            queueMicrotask(() => server.onAsked?.(request));
          },
          abandon: () => true,
          close: () => Promise.resolve(),
        };
      },
    },
  };
  return server;
}

async function listeningTo(server: ReturnType<typeof statelessServer>, log: Log = () => undefined) {
  const self = { name: 'test', version: '1' };
  const { transport } = server;
  const upstream = new Upstream({ key: 's', self, transport, era: 'stateless', log });
  onTestFinished(() => upstream.stop());
  await upstream.start();
  const changes: unknown[] = [];
  upstream.subscribe((event) => event.type === 'changed' && changes.push(event.kinds));
  return { ...server.asked('subscriptions/listen')[0]!, changes, upstream };
}

describe('listening for changes', () => {
  it('starts again when the stream ends, and asks for missed changes', async () => {
    const server = statelessServer();
    const { id } = await listeningTo(server);
    server.answer(id, { result: { resultType: 'complete' } });
    await expect.poll(() => server.asked('subscriptions/listen').length).toBe(2);
    await expect.poll(() => server.asked('tools/list').length).toBe(2);
  });

  it('announces only real changes, and waits longer if streams end early', async () => {
    const server = statelessServer();
    const { id, changes } = await listeningTo(server);
    vi.useFakeTimers();
    onTestFinished(() => void vi.useRealTimers());
    const end = { result: { resultType: 'complete' } };
    server.onAsked = (request) => {
      if (request.method === 'subscriptions/listen') server.answer(request.id, end);
    };
    server.answer(id, end);
    await vi.advanceTimersByTimeAsync(600_000);
    const streams = server.asked('subscriptions/listen').length;
    expect(streams).toBeGreaterThan(8);
    expect(streams).toBeLessThan(30);
    expect(server.asked('tools/list')).toHaveLength(streams);
    expect(changes).toEqual([]);
    server.results['tools/list'] = { tools: [] };
    await vi.advanceTimersByTimeAsync(61_000);
    expect(changes).toEqual([['tool']]);
    // What the server itself reports is passed on, as it is.
    server.say({ method: 'notifications/tools/list_changed' });
    await vi.advanceTimersByTimeAsync(1_000);
    expect(changes).toEqual([['tool'], ['tool']]);
  });

  it('goes on for a watched resource when its stream ends, and reports that it may have changed', async () => {
    const server = statelessServer();
    Object.assign(server.results, {
      'server/discover': {
        supportedVersions: ['2026-07-28'],
        capabilities: { tools: {}, resources: { subscribe: true } },
      },
      'resources/list': { resources: [{ uri: 'file:///a', name: 'a' }] },
      'resources/templates/list': { resourceTemplates: [] },
    });
    const { upstream } = await listeningTo(server);
    const updates: string[] = [];
    upstream.subscribe((event) => event.type === 'resource-updated' && updates.push(event.uri));
    const route = upstream.route('resource', 'file:///a')!;
    const params = '{"uri":"file:///a"}';
    await route.send(fakeCall(params, 'resources/subscribe'));
    const streams = () =>
      server
        .asked('subscriptions/listen')
        .filter(({ params: asked }) => JSON.stringify(asked).includes('file:///a'));
    await expect.poll(() => streams().length).toBe(1);
    server.answer(streams()[0]!.id, { result: { resultType: 'complete' } });
    await expect.poll(() => streams().length, { timeout: 5_000 }).toBe(2);
    expect(updates).toEqual(['file:///a']);
  });

  it('is given up if the server does not support it', async () => {
    const server = statelessServer();
    const { id } = await listeningTo(server);
    vi.useFakeTimers();
    onTestFinished(() => void vi.useRealTimers());
    server.answer(id, { error: { code: -32601, message: 'Method not found' } });
    await vi.advanceTimersByTimeAsync(60_000);
    expect(server.asked('subscriptions/listen')).toHaveLength(1);
  });
});

describe('wrong definitions', () => {
  it('are reported once, however often the lists change, and count as entries', async () => {
    const wrong = Array.from({ length: 100_000 }, (_, n) => ({ name: `x${n}`, inputSchema: 0 }));
    const server = statelessServer(wrong);
    const logged: string[] = [];
    await listeningTo(server, (level, message) => {
      if (level === 'warning') logged.push(message);
    });
    for (const fetches of [2, 3]) {
      server.tell('notifications/tools/list_changed');
      await expect.poll(() => server.asked('tools/list').length).toBe(fetches);
    }
    await expect
      .poll(() => logged)
      .toEqual([
        '[s] tools/list was cut off: it has more than 6000 entries; the items before that are used',
        '[s] 6000 items of tools/list such as "x0", "x1", "x2" were left out: its inputSchema is not an object',
      ]);
  });
});
