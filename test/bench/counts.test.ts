/**
 * What a call costs, in counts. They are the same on every machine, so a change that costs more
 * fails the build.
 */

import { isDeepStrictEqual } from 'node:util';

import { afterAll, beforeAll, describe, expect, it, onTestFinished } from 'vitest';

import { startCounted, type CountedGateway } from './testing/counted-gateway.js';

const ONE_BY_ONE = { count: 128, inFlight: 1 };
const TOGETHER = { count: 512, inFlight: 64 };
const KIB = 1024;

/**
 * The limit of each count for one call. Lower a limit when the code allows it; avoid raising one.
 */
const MOST = [
  {
    kind: { listener: 'stdio', tool: 'echo' },
    most: { lookUps: 12, promises: 7, timers: 0.1, writes: 2, bytes: 10 * KIB, aged: 1_500 },
  },
  {
    // The intent is written before the call.
    kind: { listener: 'stdio', tool: 'change' },
    most: { lookUps: 12, promises: 9, timers: 0.1, writes: 2, bytes: 12 * KIB, aged: 1_800 },
  },
  {
    // Node's own HTTP server takes part in these.
    kind: { listener: 'http', tool: 'echo' },
    most: { lookUps: 14, promises: 20, timers: 1.1, writes: 3, bytes: 30 * KIB, aged: 4_000 },
  },
] as const;

describe.each(MOST)('a call of $kind.tool over $kind.listener', ({ kind, most }) => {
  const { listener } = kind;
  let gateway: CountedGateway;

  beforeAll(async () => {
    gateway = await startCounted(kind);
  });
  afterAll(() => gateway.stop());

  it('is one message to the server, and a few look-ups, promises and writes', async () => {
    const before = await gateway.messages();
    const first = await gateway.perCall(ONE_BY_ONE);
    expect((await gateway.messages()) - before).toBe(ONE_BY_ONE.count + 1);
    // Timers of the gateway sometimes add a few, so the lowest of several runs counts.
    const all = [first, await gateway.perCall(ONE_BY_ONE), await gateway.perCall(ONE_BY_ONE)];
    const least = (count: 'lookUps' | 'promises' | 'timers' | 'writes'): number =>
      Math.min(...all.map((each) => each[count]));
    expect(least('lookUps')).toBeLessThanOrEqual(most.lookUps);
    expect(least('promises')).toBeLessThanOrEqual(most.promises);
    expect(least('timers')).toBeLessThanOrEqual(most.timers);
    expect(least('writes')).toBeLessThanOrEqual(most.writes);
  });

  it('shares its write to the server with the calls beside it', async () => {
    const alone = await gateway.perCall(ONE_BY_ONE);
    const beside = await gateway.perCall(TOGETHER);
    // Over stdio the answers are written together as well; each HTTP answer has its own connection.
    expect(beside.writes).toBeLessThan(listener === 'stdio' ? 0.25 : alone.writes - 0.5);
  });

  it('takes as many look-ups among a thousand tools as among ten', async () => {
    const many = await startCounted({ ...kind, tools: 1_000 });
    onTestFinished(() => many.stop());
    const lookUps = async (counted: CountedGateway): Promise<number> =>
      (await counted.perCall(ONE_BY_ONE)).lookUps;
    // Labels and texts of new tools are checked once, in the background, some seconds after the start.
    const difference = async (): Promise<number> =>
      (await lookUps(many)) - (await lookUps(gateway));
    await expect.poll(difference).toBe(0);
    expect(await lookUps(many)).toBeGreaterThan(0);
  });

  it('has none of its payload parsed', async () => {
    const parsed = async (bytes: number): Promise<{ parses: number; parsedLength: number }> => {
      const { parses, parsedLength } = await gateway.perCall({ count: 64, inFlight: 1, bytes });
      return { parses, parsedLength };
    };
    // The work in the background, as above, parses definitions.
    const isSame = async (): Promise<boolean> =>
      isDeepStrictEqual(await parsed(100_000), await parsed(1));
    await expect.poll(isSame).toBe(true);
    expect((await parsed(100_000)).parsedLength).toBeLessThan(100);
  });

  it('allocates little, and leaves nothing behind', async () => {
    const count = listener === 'stdio' ? 10_000 : 4_000;
    const load = { count, inFlight: 64 };
    const { allocated, aged } = await gateway.perCall(load, 'with allocations');
    expect(allocated).toBeGreaterThan(100);
    expect(allocated).toBeLessThan(most.bytes);
    expect(aged).toBeLessThan(most.aged);
    // Records wait in a buffer for a moment. A leak would show after every one of these loads.
    const retained = async (): Promise<number> =>
      (await gateway.perCall(load, 'with allocations')).retained * count;
    await expect.poll(retained).toBeLessThan(1024 * KIB);
  });
});

describe('the counters', () => {
  it('count every kind of event', async () => {
    const gateway = await startCounted({ listener: 'stdio' });
    onTestFinished(() => gateway.stop());
    const { parses, parsedLength } = await gateway.counted(() => gateway.greet());
    expect(parses).toBeGreaterThan(0);
    expect(parsedLength).toBeGreaterThan(50);
  });
});
