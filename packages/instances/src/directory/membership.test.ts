import { fakeClock } from '@callsign/core/testing';
import { describe, expect, it } from 'vitest';

import { memoryDirectory } from '../../../../test/memory/memory-directory.js';
import { announcement } from '../../../../test/contracts/instance-directory.js';
import type { InstanceDirectory } from './instance-directory.js';
import { Membership } from './membership.js';

describe('the membership of an instance', () => {
  it('renews its entry and sees others come and go', async () => {
    const clock = fakeClock();
    const directory = memoryDirectory(clock);
    const a = new Membership({ directory, clock, self: announcement('a') });
    const b = new Membership({ directory, clock, self: announcement('b') });
    let changes = 0;
    a.watch(() => changes++);
    await a.open();
    await b.open();
    await clock.pass(60_000);
    expect(a.instances.map(({ id }) => id)).toEqual(['a', 'b']);
    expect(changes).toBe(2);
    await b.change({ state: 'draining' });
    await clock.pass(2_000);
    expect(a.instances[1]).toMatchObject({ id: 'b', state: 'draining' });
    await b.close();
    await clock.pass(2_000);
    expect(a.instances.map(({ id }) => id)).toEqual(['a']);
    expect(changes).toBe(4);
  });

  it('finds an instance that came after the list was read', async () => {
    const clock = fakeClock();
    const directory = memoryDirectory(clock);
    const a = new Membership({ directory, clock, self: announcement('a') });
    await a.open();
    await directory.announce(announcement('b'));
    let changes = 0;
    a.watch(() => changes++);
    expect(await a.find('b')).toMatchObject({ id: 'b' });
    expect(await a.find('c')).toBeUndefined();
    // It stays known without the directory.
    expect(a.instances.map(({ id }) => id)).toEqual(['a', 'b']);
    expect(changes).toBe(1);
  });

  it('keeps the list while the directory is not available, says so once, and recovers', async () => {
    const clock = fakeClock();
    const inner = memoryDirectory(clock);
    let isAway = false;
    const directory: InstanceDirectory = {
      ...inner,
      announce: async (each) => {
        if (isAway) throw new Error('away');
        await inner.announce(each);
      },
    };
    const faults: unknown[] = [];
    const onFault = (error: unknown): void => void faults.push(error);
    const a = new Membership({ directory, clock, self: announcement('a'), onFault });
    await a.open();
    isAway = true;
    await clock.pass(60_000);
    expect(a.instances.map(({ id }) => id)).toEqual(['a']);
    expect(a.isReachable).toBe(false);
    expect(faults).toHaveLength(1);
    isAway = false;
    await clock.pass(2_000);
    expect(a.isReachable).toBe(true);
    expect(faults).toEqual([expect.any(Error), undefined]);
    expect(await inner.find('a')).toBeDefined();
  });

  it('knows the others when the directory is back, before they have entered themselves again', async () => {
    const clock = fakeClock();
    const inner = memoryDirectory(clock);
    let isAway = false;
    const directory: InstanceDirectory = {
      ...inner,
      announce: (each) => (isAway ? Promise.reject(new Error('away')) : inner.announce(each)),
    };
    const a = new Membership({ directory, clock, self: announcement('a') });
    const b = new Membership({ directory: inner, clock, self: announcement('b') });
    await b.open();
    await a.open();
    await b.close();
    isAway = true;
    await clock.pass(60_000);
    isAway = false;
    await clock.pass(2_000);
    expect(a.isReachable).toBe(true);
    expect(a.instances.map(({ id }) => id)).toEqual(['b', 'a']);
    expect(await a.find('b')).toMatchObject({ id: 'b' });
    await clock.pass(8_000);
    expect(a.instances.map(({ id }) => id)).toEqual(['a']);
  });

  it('is not entered again by a renewal that was under way when it left', async () => {
    const clock = fakeClock();
    const inner = memoryDirectory(clock);
    let release = (): void => {};
    let isSlow = false;
    const directory: InstanceDirectory = {
      ...inner,
      announce: async (each) => {
        if (isSlow) await new Promise<void>((done) => (release = done));
        await inner.announce(each);
      },
    };
    const a = new Membership({ directory, clock, self: announcement('a') });
    await a.open();
    isSlow = true;
    await clock.pass(2_000);
    await a.close();
    release();
    await clock.pass(0);
    expect(await inner.list()).toEqual([]);
  });

  it('reaches a directory that accepts its entry soon, and no other', async () => {
    const clock = fakeClock();
    const inner = memoryDirectory(clock);
    let answer = (): Promise<void> => Promise.resolve();
    const directory: InstanceDirectory = {
      ...inner,
      announce: (each) => answer().then(() => inner.announce(each)),
    };
    const a = new Membership({ directory, clock, self: announcement('a') });
    await a.open();
    expect(await a.reaches()).toBe(true);
    answer = () => Promise.reject(new Error('read-only'));
    expect(await a.reaches()).toBe(false);
    let count = 0;
    answer = () => {
      count++;
      return new Promise(() => undefined);
    };
    const both = Promise.all([a.reaches(), a.reaches()]);
    await clock.pass(600);
    expect(await both).toEqual([false, false]);
    expect(count).toBe(1);
    answer = () => Promise.resolve();
    await a.close();
    expect(await a.reaches()).toBe(false);
    expect(await inner.list()).toEqual([]);
  });
});
