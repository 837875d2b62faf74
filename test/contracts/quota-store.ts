/** What a store of shared quotas must do, in memory and in a database. */

import type { BlockRequest, QuotaStore } from '@callsign/governance';
import { describe, expect, it } from 'vitest';

function request(members: Partial<BlockRequest> = {}): BlockRequest {
  return {
    key: 'server github',
    holder: 'a',
    perMinute: 60,
    kept: 0,
    returned: 0,
    wanted: 10,
    ms: 60_000,
    ...members,
  };
}

export function quotaContract(name: string, open: () => Promise<QuotaStore>): void {
  describe(name, () => {
    it('grants no more than the quota, however many ask at once', async () => {
      const store = await open();
      const holders = Array.from({ length: 20 }, (_, n) => `instance-${n}`);
      const blocks = await Promise.all(
        holders.map((holder) => store.take(request({ holder, wanted: 7 }))),
      );
      const granted = blocks.reduce((sum, block) => sum + block.granted, 0);
      expect(granted).toBeGreaterThanOrEqual(60);
      // One unit is refilled every second.
      expect(granted).toBeLessThanOrEqual(62);
      const { granted: none, waitMs } = await store.take(request({ holder: 'late' }));
      expect(none).toBeLessThanOrEqual(2);
      expect(waitMs).toBeGreaterThan(0);
      expect(waitMs).toBeLessThanOrEqual(1_000);
    });

    it('keeps quotas apart', async () => {
      const store = await open();
      expect(await store.take(request({ wanted: 60 }))).toMatchObject({ granted: 60 });
      expect(await store.take(request({ key: 'principal ann', wanted: 60 }))).toMatchObject({
        granted: 60,
      });
    });

    it('grants what was given back', async () => {
      const store = await open();
      await store.take(request({ perMinute: 2, wanted: 2 }));
      expect(await store.take(request({ perMinute: 2, holder: 'b', wanted: 2 }))).toMatchObject({
        granted: 0,
      });
      await store.take(request({ perMinute: 2, returned: 2, wanted: 0 }));
      expect(await store.take(request({ perMinute: 2, holder: 'b', wanted: 2 }))).toMatchObject({
        granted: 2,
      });
    });

    it('refills, but never beyond the quota with the blocks that are out', async () => {
      const store = await open();
      const perMinute = 6_000;
      await store.take(request({ perMinute, wanted: 3_000 }));
      // 100 a second are refilled, and the block of 3,000 is still out.
      await expect
        .poll(async () => {
          const { granted } = await store.take(request({ perMinute, holder: 'b', wanted: 4_000 }));
          return granted;
        })
        .toBe(3_000);
    });

    it('takes a block back when its time is over', async () => {
      const store = await open();
      await store.take(request({ perMinute: 6_000, wanted: 6_000, ms: 200 }));
      // As if the calls had been made: the quota only refills with time.
      await expect
        .poll(
          async () =>
            (await store.take(request({ perMinute: 6_000, holder: 'b', wanted: 1 }))).granted,
        )
        .toBe(1);
      const { granted } = await store.take(
        request({ perMinute: 6_000, holder: 'b', wanted: 6_000 }),
      );
      expect(granted).toBeLessThan(3_000);
    });
  });
}
