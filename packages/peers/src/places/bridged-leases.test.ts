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

  it('stay listed while the store answers but does not write', async () => {
    const clock = fakeClock();
    const inner = memoryLeases(clock);
    let isReadOnly = false;
    const guarded = <T>(write: () => Promise<T>): Promise<T> =>
      isReadOnly ? Promise.reject(new Error('read-only')) : write();
    const leases: Leases = {
      ...inner,
      take: (...args) => guarded(() => inner.take(...args)),
      renew: (...args) => guarded(() => inner.renew(...args)),
    };
    const open = (): BridgedLeases =>
      new BridgedLeases({ leases, clock, graceMs: GRACE_MS, isCutForAll: async () => true });
    const [holder, other] = [open(), open()];
    const lease = (await holder.take('server:fs', 'a', MS))!;
    expect(await other.list()).toEqual([lease]);
    isReadOnly = true;
    expect(await holder.renew(lease, MS)).toBe(true);
    await expect(other.take('server:fs', 'b', MS)).rejects.toThrow('read-only');
    await clock.pass(5 * MS);
    expect(await inner.list()).toEqual([]);
    expect(await other.list()).toEqual([lease]);
    isReadOnly = false;
    expect(await holder.renew(lease, MS)).toBe(true);
    await clock.pass(GRACE_MS);
    expect(await other.take('server:fs', 'b', MS)).toBeUndefined();
    expect(await other.list()).toEqual([{ ...lease, fence: 2 }]);
    // The list is believed again.
    await clock.pass(MS);
    expect(await other.list()).toEqual([]);
  });
});
