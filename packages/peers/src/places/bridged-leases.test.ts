import { fakeClock } from '@callsign/core/testing';
import { memoryLeases, type Leases } from '@callsign/instances';
import { describe, expect, it } from 'vitest';

import { BridgedLeases } from './bridged-leases.js';

const MS = 6_000;
const GRACE_MS = 3_000;

describe('leases after the store was away for all instances', () => {
  it('go to their holders again, before any other instance takes them', async () => {
    const clock = fakeClock();
    const inner = memoryLeases(clock);
    let isAway = false;
    const guarded = <T>(ask: () => Promise<T>): Promise<T> =>
      isAway ? Promise.reject(new Error('away')) : ask();
    const leases: Leases = {
      ...inner,
      take: (...args) => guarded(() => inner.take(...args)),
      renew: (...args) => guarded(() => inner.renew(...args)),
      list: () => guarded(() => inner.list()),
    };
    const open = (): BridgedLeases =>
      new BridgedLeases({ leases, clock, graceMs: GRACE_MS, isCutForAll: async () => true });
    const [holder, other] = [open(), open()];
    const lease = (await holder.take('server:fs', 'a', MS))!;
    isAway = true;
    await other.list().catch(() => undefined);
    expect(await holder.renew(lease, MS)).toBe(true);
    await clock.pass(5 * MS);
    isAway = false;
    // The lease has run out in the store, and the other instance is the first to notice that the store is back.
    expect(await other.list()).toEqual([]);
    expect(await other.take('server:fs', 'b', MS)).toBeUndefined();
    expect(await holder.renew(lease, MS)).toBe(true);
    expect(holder.current(lease)).toMatchObject({ holder: 'a', fence: 2 });
    await clock.pass(GRACE_MS);
    expect(await other.take('server:fs', 'b', MS)).toBeUndefined();
    // A lease whose holder did not come back is free after that time.
    await clock.pass(MS);
    expect(await other.take('server:fs', 'b', MS)).toMatchObject({ holder: 'b', fence: 3 });
  });
});
