import { fakeClock, type FakeClock } from '@callsign/core/testing';
import { describe, expect, it } from 'vitest';

import { memoryQuotas } from '../../../../test/memory/memory-quotas.js';
import { quotaContract } from '../../../../test/contracts/quota-store.js';
import { QuotaBlock } from './quota-block.js';
import type { QuotaStore } from './quota-store.js';

quotaContract('quotas in memory', async () =>
  memoryQuotas({ now: () => performance.now(), after: () => () => {} }),
);

/** A store that answers after a while, as over a network. */
function remote(store: QuotaStore, clock: FakeClock, delayMs: number): QuotaStore {
  const pause = (): Promise<void> => new Promise((done) => clock.after(delayMs, done));
  return {
    async take(request) {
      await pause();
      const block = await store.take(request);
      await pause();
      return block;
    },
  };
}

function blocks(
  count: number,
  { delayMs = 2, store }: { delayMs?: number; store?: QuotaStore } = {},
): { clock: FakeClock; blocks: QuotaBlock[] } {
  const clock = fakeClock();
  const shared = remote(store ?? memoryQuotas(clock), clock, delayMs);
  return {
    clock,
    blocks: Array.from(
      { length: count },
      (_, n) =>
        new QuotaBlock(
          { store: shared, holder: `instance-${n}`, instances: () => count },
          'server github',
          clock,
        ),
    ),
  };
}

describe('the blocks of instances', () => {
  it.each([
    { perMinute: 60, instances: 3 },
    { perMinute: 600, instances: 3 },
    { perMinute: 6_000, instances: 10 },
    { perMinute: 10, instances: 7 },
  ])('use a quota of $perMinute on $instances instances, and no more', async (each) => {
    const { perMinute, instances } = each;
    const { clock, blocks: all } = blocks(instances);
    const made: number[] = [];
    // More than is allowed, on all instances, for three minutes.
    for (let ms = 0; ms < 180_000; ms += 20) {
      for (let i = 0; i < Math.ceil(perMinute / 1_000); i++) {
        const refused = all[(ms / 20 + i) % instances]!.pay(perMinute);
        if (!refused) made.push(clock.now());
        else void refused.then((wait) => wait === undefined && made.push(clock.now()));
      }
      await clock.pass(20);
    }
    // What may come at once, and three minutes of refill.
    const allowed = perMinute * 4;
    expect(made.length).toBeLessThanOrEqual(allowed);
    expect(made.length).toBeGreaterThanOrEqual(allowed - Math.max(perMinute * 0.02, instances));
    for (let start = 0; start < 120_000; start += 1_000) {
      const inWindow = made.filter((at) => at >= start && at < start + 60_000).length;
      expect(inWindow, `from ${start}`).toBeLessThanOrEqual(perMinute * 2);
    }
  });

  it('serve a burst of a whole quota on one instance with few requests to the store', async () => {
    let asked = 0;
    const clock = fakeClock();
    const inner = memoryQuotas(clock);
    const store: QuotaStore = { take: (request) => (asked++, inner.take(request)) };
    const block = new QuotaBlock({ store, holder: 'a', instances: () => 3 }, 'k', clock);
    const answers = await Promise.all(Array.from({ length: 700 }, () => block.pay(600)));
    expect(answers.filter((wait) => wait === undefined)).toHaveLength(600);
    expect(asked).toBeLessThan(10);
  });

  it('do not make a call wait while they have calls left', async () => {
    const { clock, blocks: all } = blocks(1, { delayMs: 50 });
    expect(await settled(all[0]!.pay(6_000), clock)).toBeUndefined();
    // 120 calls in the block, and 100 a second: the store answers in time.
    for (let i = 0; i < 500; i++) {
      expect(all[0]!.pay(6_000)).toBeUndefined();
      await clock.pass(10);
    }
  });

  it('are given back when their instance is idle', async () => {
    const { clock, blocks: all } = blocks(2);
    await settled(all[0]!.pay(1_000), clock);
    await clock.pass(1_500);
    const answers = Array.from({ length: 1_100 }, () => all[1]!.pay(1_000));
    await clock.pass(50);
    const waits = await Promise.all(answers);
    // One was used, and 25 came back with time.
    expect(waits.filter((wait) => wait === undefined).length).toBeGreaterThanOrEqual(999);
  });

  it('refuse calls once they are used up, if the store cannot be reached', async () => {
    const store: QuotaStore = { take: () => Promise.reject(new Error('away')) };
    const { clock, blocks: all } = blocks(1, { store });
    expect(await settled(all[0]!.pay(60), clock)).toBe(2_000);
  });
});

async function settled(
  answer: Promise<number | undefined> | undefined,
  clock: FakeClock,
): Promise<number | undefined> {
  await clock.pass(200);
  return await answer;
}
