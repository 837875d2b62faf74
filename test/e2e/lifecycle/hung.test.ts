import { describe, expect, it } from 'vitest';

import { shows } from '../../requirements/shows.js';
import { eventually, faulty, pause, plain, startGateway } from '../gateway-process.js';
import type { Message } from './raw-client.js';

const codeOf = ({ error }: Message): unknown => error?.data?.['code'];
const serverOf = (tool: string): string => tool.split(':')[0]!;

describe('a child that takes its time to start', () => {
  it(
    'delays the first list by no more than the limit, and is told that its time is up',
    shows('FR-009', async () => {
      const gateway = await startGateway({
        servers: { mute: faulty('never-answers'), fine: plain() },
        settings: {
          listWaitMs: 500,
          servers: { mute: { startTimeoutMs: 1_500 } },
          restart: { giveUpAfter: 1 },
        },
      });
      const client = await gateway.connect();
      const askedAt = Date.now();
      const tools = await client.tools();
      expect(Date.now() - askedAt).toBeLessThan(1_400);
      expect(new Set(tools.map(serverOf))).toEqual(new Set(['fine']));
      expect(gateway.stderr).not.toContain('mute');
      await eventually(() => gateway.stderr.includes('mute'));
      expect(gateway.stderr).toContain(
        'error: [mute] given up: Server "mute" did not answer within 1.5 s.',
      );
      // What it left is ended as well.
      await eventually(() => gateway.processes().length === 2, 5_000);
    }),
  );

  it('comes into the list later, and clients are told', async () => {
    const gateway = await startGateway({
      servers: { slow: faulty('slow-start=1200'), fine: plain() },
      settings: { listWaitMs: 200 },
    });
    const client = await gateway.connect();
    expect(new Set((await client.tools()).map(serverOf))).toEqual(new Set(['fine']));
    await eventually(() => client.count('notifications/tools/list_changed') > 0);
    await eventually(async () => (await client.tools()).includes('slow:add'), 5_000);
    expect((await client.result('slow:add', { a: 2, b: 2 }))['structuredContent']).toEqual({
      sum: 4,
    });
  });
});

describe('a child that stops reading', () => {
  /** It answers the handshake, the probe before it, and four lists. */
  const deaf = faulty('ignores-stdin', '--after=6');

  it('is refused more calls than its limit, at once, and the others serve', async () => {
    const gateway = await startGateway({
      servers: { deaf, fine: plain() },
      settings: { limits: { maxPendingPerServer: 20 } },
    });
    const client = await gateway.connect();
    await client.tools();
    const hanging = Array.from({ length: 20 }, (_, n) =>
      client.request('tools/call', { name: 'deaf:add' }, `h${n}`),
    );
    const refusedAt = Date.now();
    const refused = await Promise.all(Array.from({ length: 30 }, () => client.call('deaf:add')));
    expect(Date.now() - refusedAt).toBeLessThan(1_000);
    expect(refused.map(codeOf)).toEqual(refused.map(() => 'upstream-busy'));
    expect(refused[0]!.error!.message).toBe(
      'Server "deaf" has 20 calls waiting already; try again in a moment.',
    );
    const sums = await Promise.all(
      Array.from({ length: 15 }, (_, n) => client.result('fine:add', { a: n, b: n })),
    );
    expect(sums.at(-1)!['structuredContent']).toEqual({ sum: 28 });

    // Calls that are taken back make room for others.
    client.notify('notifications/cancelled', { requestId: 'h0' });
    const next = client.call('deaf:add');
    expect(await Promise.race([next, pause(300)])).toBeUndefined();
    void hanging;
  });

  it('cannot fill the memory with what it does not take', async () => {
    const gateway = await startGateway({ servers: { deaf, fine: plain() } });
    const client = await gateway.connect();
    await client.tools();
    const text = 'x'.repeat(500_000);
    const calls = Array.from({ length: 300 }, () => client.call('deaf:echo', { text }));
    let refused = 0;
    for (const call of calls)
      void call.then((answer) => (refused += codeOf(answer) === 'upstream-busy' ? 1 : 0));
    expect((await client.result('fine:add', { a: 1, b: 1 }))['structuredContent']).toEqual({
      sum: 2,
    });
    await eventually(() => refused > 0);
    // 64 MB are kept for a server that is behind; the rest is refused.
    expect(refused).toBeGreaterThan(100);
    expect(gateway.peakMegabytes()).toBeLessThan(400);
  });
});
