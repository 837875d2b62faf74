import { describe, expect, it, onTestFinished, vi } from 'vitest';

import type { ChannelEvents } from '@callsign/rpc';
import { Upstream } from './upstream.js';

interface Request {
  readonly id: number;
  readonly method: string;
}

/** A stateless server in memory, which remembers what it was asked. */
function statelessServer() {
  const asked: Request[] = [];
  let events: ChannelEvents | undefined;
  const answer = (id: number, body: object) =>
    events?.onText(JSON.stringify({ jsonrpc: '2.0', id, ...body }));
  const results: Record<string, object> = {
    'server/discover': { supportedVersions: ['2026-07-28'], capabilities: { tools: {} } },
    'tools/list': { tools: [{ name: 'x', inputSchema: { type: 'object' } }] },
  };
  return {
    asked: (method: string) => asked.filter((request) => request.method === method),
    answer,
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
          },
          abandon: () => true,
          close: () => Promise.resolve(),
        };
      },
    },
  };
}

async function listeningTo(server: ReturnType<typeof statelessServer>) {
  const self = { name: 'test', version: '1' };
  const upstream = new Upstream({ key: 's', self, transport: server.transport, era: 'stateless' });
  onTestFinished(() => upstream.stop());
  await upstream.start();
  return server.asked('subscriptions/listen')[0]!;
}

describe('listening for changes', () => {
  it('starts again when the stream ends, and asks for missed changes', async () => {
    const server = statelessServer();
    const { id } = await listeningTo(server);
    server.answer(id, { result: { resultType: 'complete' } });
    await expect.poll(() => server.asked('subscriptions/listen').length).toBe(2);
    await expect.poll(() => server.asked('tools/list').length).toBe(2);
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
