import { fakeClock } from '@callsign/core/testing';
import { describe, expect, it } from 'vitest';

import { memoryLeases } from '../../../../../test/memory/memory-leases.js';
import type { Lease, Leases } from '../../leases/leases.js';
import { BridgedLeases } from './bridged-leases.js';

const MS = 6_000;
const GRACE_MS = MS / 2;

/** Reads the list first, as instances do every second. */
async function take(leases: BridgedLeases, holder: string): Promise<Lease | undefined> {
  await leases.list().catch(() => undefined);
  return leases.take('server:fs', holder, MS);
}

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
      new BridgedLeases({ leases, clock, leaseMs: MS, isCutForAll: async () => true });
    const [holder, other] = [open(), open()];
    const lease = (await take(holder, 'a'))!;
    isAway = true;
    await other.list().catch(() => undefined);
    expect(await holder.renew(lease, MS)).toBe(true);
    await clock.pass(5 * MS);
    isAway = false;
    // The lease has run out in the store, and the other instance is the first to notice that the store is back.
    expect(await other.list()).toEqual([]);
    expect(await take(other, 'b')).toBeUndefined();
    expect(await holder.renew(lease, MS)).toBe(true);
    expect(holder.current(lease)).toMatchObject({ holder: 'a', fence: 2 });
    await clock.pass(GRACE_MS);
    expect(await take(other, 'b')).toBeUndefined();
    // A lease whose holder did not come back is free after that time.
    await clock.pass(MS);
    expect(await take(other, 'b')).toMatchObject({ holder: 'b', fence: 3 });
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
      new BridgedLeases({ leases, clock, leaseMs: MS, isCutForAll: async () => true });
    const [holder, other] = [open(), open()];
    const lease = (await take(holder, 'a'))!;
    expect(await other.list()).toEqual([lease]);
    isReadOnly = true;
    for (let round = 0; round < 5; round++) {
      expect(await holder.renew(lease, MS)).toBe(true);
      // The holder has asked the other instance, which cannot write either.
      other.pause();
      await clock.pass(MS / 2);
      expect(await other.list()).toEqual([lease]);
      expect(await take(other, 'b')).toBeUndefined();
    }
    expect(await inner.list()).toEqual([]);
    isReadOnly = false;
    expect(await holder.renew(lease, MS)).toBe(true);
    await clock.pass(GRACE_MS);
    expect(await take(other, 'b')).toBeUndefined();
    expect(await other.list()).toEqual([{ ...lease, fence: 2 }]);
    // The list is believed again.
    await clock.pass(MS);
    expect(await other.list()).toEqual([]);
  });

  it('are kept while the store hangs, and no other instance takes them when it goes on', async () => {
    const clock = fakeClock();
    const inner = memoryLeases(clock);
    let goOn = (): void => undefined;
    let hangs: Promise<void> | undefined;
    const asked: string[] = [];
    const waiting = <T>(what: string, ask: () => Promise<T>): Promise<T> => {
      if (hangs) asked.push(what);
      return (hangs ?? Promise.resolve()).then(ask);
    };
    const leases: Leases = {
      ...inner,
      take: (...args) => waiting('take', () => inner.take(...args)),
      renew: (...args) => waiting('renew', () => inner.renew(...args)),
      list: () => waiting('list', () => inner.list()),
    };
    const open = (): BridgedLeases =>
      new BridgedLeases({ leases, clock, leaseMs: MS, isCutForAll: async () => true });
    const [holder, other] = [open(), open()];
    const lease = (await take(holder, 'a'))!;
    hangs = new Promise((resolve) => (goOn = resolve));
    const listed = other.list();
    const renewed = holder.renew(lease, MS);
    await clock.pass(MS / 8);
    expect(await renewed).toBe(true);
    await clock.pass(5 * MS);
    // A store that goes on would still do it.
    expect(await other.take('server:fs', 'b', MS)).toBeUndefined();
    expect(asked).toEqual(['list', 'renew']);
    hangs = undefined;
    goOn();
    expect(await listed).toEqual([]);
    expect(await other.take('server:fs', 'b', MS)).toBeUndefined();
    expect(await take(other, 'b')).toBeUndefined();
    expect(await holder.renew(lease, MS)).toBe(true);
    expect(holder.current(lease)).toMatchObject({ holder: 'a', fence: 2 });
  });

  it('are not taken by an instance that has said that it cannot reach the store', async () => {
    const clock = fakeClock();
    const leases = memoryLeases(clock);
    const isCutForAll = async (): Promise<boolean> => true;
    const instance = new BridgedLeases({ leases, clock, leaseMs: MS, isCutForAll });
    instance.pause();
    await clock.pass(MS - 1);
    expect(await take(instance, 'b')).toBeUndefined();
    await clock.pass(1);
    expect(await take(instance, 'b')).toMatchObject({ holder: 'b' });
  });

  it('are taken and renewed through a store that is slow for one instance', async () => {
    const clock = fakeClock();
    const inner = memoryLeases(clock);
    const slowly = <T>(ask: () => Promise<T>): Promise<T> =>
      new Promise((resolve) => clock.after(MS / 5, () => resolve(ask())));
    const leases: Leases = {
      ...inner,
      take: (...args) => slowly(() => inner.take(...args)),
      renew: (...args) => slowly(() => inner.renew(...args)),
      list: () => slowly(() => inner.list()),
    };
    const isCutForAll = async (): Promise<boolean> => false;
    const slow = new BridgedLeases({ leases, clock, leaseMs: MS, isCutForAll });
    // At first it cannot know whether the store was away before.
    for (let round = 0; round < 4; round++) {
      const listed = slow.list();
      await clock.pass(MS / 5);
      await listed;
    }
    for (let round = 0; round < 3; round++) {
      const taken = take(slow, 'a');
      await clock.pass(MS / 5);
      await clock.pass(MS / 5);
      const lease = (await taken)!;
      expect(lease).toMatchObject({ holder: 'a' });
      const renewed = slow.renew(lease, MS);
      await clock.pass(MS / 5);
      expect(await renewed).toBe(true);
      await inner.release(lease);
    }
  });

  it('are not taken by a new instance if they ran out, until it has watched them', async () => {
    const clock = fakeClock();
    const leases = memoryLeases(clock);
    await leases.take('server:fs', 'a', MS);
    await clock.pass(5 * MS);
    const isCutForAll = async (): Promise<boolean> => false;
    const young = new BridgedLeases({ leases, clock, leaseMs: MS, isCutForAll });
    expect(await take(young, 'b')).toBeUndefined();
    await clock.pass(GRACE_MS - 1);
    expect(await take(young, 'b')).toBeUndefined();
    await clock.pass(1);
    expect(await take(young, 'b')).toMatchObject({ holder: 'b' });
  });
});
