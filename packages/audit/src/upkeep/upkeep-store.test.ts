import { afterEach, beforeEach, describe, expect, it, onTestFinished, vi } from 'vitest';

import type { Journal } from '../journal/journal.js';
import { journalFolder } from '../../../../test/testing/audit-folder.js';
import type { AuditStore } from '../store/audit-store.js';
import { Upkeep } from './upkeep.js';

/** A store that counts its rounds. A round begins with a question for positions. */
class CountingStore {
  readonly lagMs: number | undefined;
  rounds = 0;
  pruned: string[] = [];
  isClosed = false;
  trouble: Error | undefined;
  /** A round ends when it is released. Default: at once. */
  hold: Promise<void> | undefined;

  constructor(lagMs?: number, hold?: Promise<void>) {
    this.lagMs = lagMs;
    this.hold = hold;
  }

  async positions(): Promise<ReadonlyMap<string, never>> {
    this.rounds++;
    await this.hold;
    if (this.trouble) throw this.trouble;
    return new Map<string, never>();
  }

  prune(before: string): Promise<number> {
    this.pruned.push(before);
    return Promise.resolve(0);
  }

  close(): Promise<void> {
    this.isClosed = true;
    return Promise.resolve();
  }
}

interface Setup {
  readonly keepDays?: number;
  readonly hold?: Promise<void>;
}

const START = Date.parse('2026-11-15T09:00:00.000Z');
const [SECOND, MINUTE, DAY] = [1_000, 60_000, 86_400_000];

function setup(lagMs?: number, { keepDays = 90, hold }: Setup = {}) {
  const store = new CountingStore(lagMs, hold);
  const journal = { name: 'own', written: 0 };
  const logged: string[] = [];
  const machine = { load: 0 };
  const upkeep = new Upkeep({
    folder: journalFolder(),
    journal: journal as unknown as Journal,
    keepDays,
    maxBytes: 2 ** 30,
    log: (_, message) => logged.push(message),
    store: store as unknown as AuditStore,
    load: () => machine.load,
  });
  onTestFinished(() => upkeep.close());
  return { store, journal, logged, upkeep, machine };
}

const pass = (ms: number): Promise<unknown> => vi.advanceTimersByTimeAsync(ms);

beforeEach(() => {
  vi.useFakeTimers({ now: START });
});

afterEach(() => vi.useRealTimers());

describe('upkeep at intervals', () => {
  it('runs if there are many new records, or some for five minutes, and not otherwise', async () => {
    const { store, journal } = setup();
    await pass(20 * MINUTE);
    expect(store.rounds).toBe(0);
    journal.written = 20_000;
    await pass(MINUTE);
    expect(store.rounds).toBe(1);
    journal.written = 39_999;
    await pass(4 * MINUTE);
    expect(store.rounds).toBe(1);
    await pass(MINUTE);
    expect(store.rounds).toBe(2);
    await pass(30 * MINUTE);
    expect(store.rounds).toBe(2);
  });

  it('fills the tables later while the machine is busy, but after ten minutes in any case', async () => {
    const { store, journal, machine } = setup();
    machine.load = 1_000;
    journal.written = 20_000;
    await pass(9 * MINUTE);
    expect(store.rounds).toBe(0);
    await pass(MINUTE);
    expect(store.rounds).toBe(1);
  });

  it('fills the tables when no call was made for half a minute, or after ten minutes', async () => {
    const { store, journal } = setup();
    const callFor = async (minutes: number): Promise<void> => {
      for (let i = 0; i < minutes * 60; i += 10) {
        journal.written += 20_000;
        await pass(10 * SECOND);
      }
    };
    await callFor(9);
    expect(store.rounds).toBe(0);
    await pass(MINUTE);
    expect(store.rounds).toBe(1);
    await callFor(9);
    expect(store.rounds).toBe(1);
    await callFor(2);
    expect(store.rounds).toBe(2);
  });

  it('deletes by age only when the clock has been steady for ten minutes', async () => {
    const { store, journal } = setup();
    journal.written = 20_000;
    await pass(30 * SECOND);
    expect(store.pruned).toEqual([]);
    await pass(10 * MINUTE);
    journal.written = 40_000;
    await pass(30 * SECOND);
    const [before] = store.pruned;
    expect(Date.parse(before!)).toBe(Date.now() - 90 * DAY);
  });

  it('may keep records for longer than there is time', async () => {
    const { store, upkeep } = setup(undefined, { keepDays: 1e6 });
    await upkeep.run(true);
    expect(store.pruned).toEqual(['1970-01-01T00:00:00.000Z']);
  });

  it('says once why a round failed, and again after it worked', async () => {
    const { store, upkeep, logged } = setup();
    store.trouble = Object.assign(new Error('x'), { code: 'ENOSPC' });
    for (let i = 0; i < 3; i++) await upkeep.run(false);
    const sentence = 'The tables of calls could not be updated: the disk is full.';
    expect(logged).toEqual([sentence]);
    store.trouble = undefined;
    await upkeep.run(false);
    store.trouble = Object.assign(new Error('x'), { code: 'ENOSPC' });
    await upkeep.run(false);
    expect(logged).toEqual([sentence, sentence]);
    // Only a store that follows the journal closely has records that are not shared.
    expect(upkeep.unshared).toBeUndefined();
  });
});

describe('upkeep of a store that follows the journal', () => {
  it('fills it at the start, and then whenever there are new records', async () => {
    const { store, journal } = setup(100);
    await pass(0);
    expect(store.rounds).toBe(1);
    await pass(1_000);
    expect(store.rounds).toBe(1);
    journal.written = 1;
    await pass(100);
    expect(store.rounds).toBe(2);
    await pass(1_000);
    expect(store.rounds).toBe(2);
  });

  it('shares a round among all who wait, but not one that has begun', async () => {
    let release = (): void => undefined;
    const hold = new Promise<void>((resolve) => (release = resolve));
    const { store, upkeep } = setup(1e6, { hold });
    await pass(0);
    const shared = [upkeep.share(), upkeep.share()];
    await pass(0);
    expect(store.rounds).toBe(1);
    release();
    expect(await Promise.all(shared)).toEqual([undefined, undefined]);
    expect(store.rounds).toBe(2);
    await upkeep.share();
    expect(store.rounds).toBe(3);
  });

  it('says why records are not in it, until they are', async () => {
    const { store, upkeep, logged } = setup(1e6);
    await pass(0);
    store.trouble = Object.assign(new Error('x'), { code: 'EIO' });
    expect(await upkeep.share()).toBe('the disk reports an error');
    expect(upkeep.unshared).toBe('the disk reports an error');
    store.trouble = undefined;
    expect(await upkeep.share()).toBeUndefined();
    expect(upkeep.unshared).toBeUndefined();
    expect(logged).toEqual([
      'The tables of calls could not be updated: the disk reports an error.',
      'The tables of calls are updated again.',
    ]);
  });

  it('fills it a last time at shutdown, but waits no longer than two seconds', async () => {
    const { store, upkeep } = setup(1e6);
    await pass(0);
    store.hold = new Promise(() => undefined);
    const closing = upkeep.close();
    await pass(1_900);
    expect([store.rounds, store.isClosed]).toEqual([2, false]);
    await pass(200);
    await closing;
    expect(store.isClosed).toBe(true);
  });

  it('does nothing after shutdown', async () => {
    const { store, upkeep, journal } = setup(100);
    await upkeep.close();
    const { rounds } = store;
    journal.written = 50_000;
    await pass(30 * MINUTE);
    expect(store.rounds).toBe(rounds);
  });
});
