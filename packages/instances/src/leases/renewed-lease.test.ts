import { fakeClock, type FakeClock } from '@callsign/core/testing';
import { describe, expect, it } from 'vitest';

import { memoryLeases } from '../../../../test/memory/memory-leases.js';
import { RenewedLease } from './renewed-lease.js';
import type { Leases } from './leases.js';

const MS = 1_000;

function keep(
  clock: FakeClock,
  leases: Leases,
  holder: string,
): { kept: RenewedLease; told: string[] } {
  const told: string[] = [];
  const kept = new RenewedLease({
    leases,
    name: 'server:fs',
    holder,
    clock,
    ms: MS,
    onAcquired: ({ fence }) => told.push(`held ${fence}`),
    onLost: ({ fence }) => told.push(`lost ${fence}`),
  });
  return { kept, told };
}

/** Leases whose store can be unreachable, or slow. */
function shaky(clock: FakeClock): { leases: Leases; fault: { isAway: boolean; delayMs: number } } {
  const inner = memoryLeases(clock);
  const fault = { isAway: false, delayMs: 0 };
  const pass = async <T>(run: () => Promise<T>): Promise<T> => {
    if (fault.isAway) throw new Error('the store is away');
    const answer = await run();
    if (fault.delayMs > 0) await new Promise<void>((done) => clock.after(fault.delayMs, done));
    return answer;
  };
  const leases: Leases = {
    take: (...args) => pass(() => inner.take(...args)),
    renew: (...args) => pass(() => inner.renew(...args)),
    release: (...args) => pass(() => inner.release(...args)),
    find: (...args) => inner.find(...args),
    list: () => inner.list(),
  };
  return { leases, fault };
}

describe('a kept lease', () => {
  it('is taken and renewed', async () => {
    const clock = fakeClock();
    const { kept, told } = keep(clock, memoryLeases(clock), 'a');
    await clock.pass(20 * MS);
    expect(kept.lease).toMatchObject({ holder: 'a', fence: 1 });
    expect(told).toEqual(['held 1']);
  });

  it('goes to another instance soon after it was given up', async () => {
    const clock = fakeClock();
    const leases = memoryLeases(clock);
    const first = keep(clock, leases, 'a');
    await clock.pass(0);
    const second = keep(clock, leases, 'b');
    await clock.pass(5 * MS);
    expect(second.told).toEqual([]);
    await first.kept.close();
    await clock.pass(MS / 5);
    expect(second.told).toEqual(['held 2']);
    expect(first.kept.lease).toBeUndefined();
  });

  it('is taken at once after news that it is free', async () => {
    const clock = fakeClock();
    const leases = memoryLeases(clock);
    const first = keep(clock, leases, 'a');
    await clock.pass(0);
    const second = keep(clock, leases, 'b');
    await clock.pass(0);
    await first.kept.close();
    second.kept.poke();
    await clock.pass(0);
    expect(second.told).toEqual(['held 2']);
  });

  it('counts as lost before it ends in the store', async () => {
    const clock = fakeClock();
    const { leases, fault } = shaky(clock);
    const { kept, told } = keep(clock, leases, 'a');
    await clock.pass(0);
    fault.isAway = true;
    await clock.pass(MS * 0.96);
    expect(told).toEqual(['held 1', 'lost 1']);
    expect(kept.lease).toBeUndefined();
    expect(await leases.find('server:fs')).toMatchObject({ fence: 1 });
  });

  it('survives a short absence of the store, and is taken again after a long one', async () => {
    const clock = fakeClock();
    const { leases, fault } = shaky(clock);
    const { told } = keep(clock, leases, 'a');
    await clock.pass(0);
    fault.isAway = true;
    await clock.pass(MS / 2);
    fault.isAway = false;
    await clock.pass(5 * MS);
    expect(told).toEqual(['held 1']);
    fault.isAway = true;
    await clock.pass(5 * MS);
    fault.isAway = false;
    await clock.pass(MS);
    expect(told).toEqual(['held 1', 'lost 1', 'held 2']);
  });

  it('is not used if the answer of the store came too late', async () => {
    const clock = fakeClock();
    const { leases, fault } = shaky(clock);
    fault.delayMs = MS;
    const { kept, told } = keep(clock, leases, 'a');
    await clock.pass(MS);
    expect(told).toEqual([]);
    expect(kept.lease).toBeUndefined();
    fault.delayMs = 0;
    await clock.pass(2 * MS);
    expect(told).toHaveLength(1);
  });

  it('is renewed but not taken again after its holder has resigned', async () => {
    const clock = fakeClock();
    const { leases, fault } = shaky(clock);
    const { kept, told } = keep(clock, leases, 'a');
    await clock.pass(0);
    kept.resign();
    await clock.pass(5 * MS);
    expect(kept.lease).toMatchObject({ fence: 1 });
    fault.isAway = true;
    await clock.pass(2 * MS);
    fault.isAway = false;
    kept.poke();
    await clock.pass(5 * MS);
    expect(told).toEqual(['held 1', 'lost 1']);
    expect(await leases.find('server:fs')).toBeUndefined();
  });

  it('is given back if it arrives after the end', async () => {
    const clock = fakeClock();
    const { leases, fault } = shaky(clock);
    fault.delayMs = MS / 10;
    const { kept, told } = keep(clock, leases, 'a');
    await kept.close();
    fault.delayMs = 0;
    await clock.pass(MS / 2);
    expect(told).toEqual([]);
    expect(await leases.find('server:fs')).toBeUndefined();
  });
});
