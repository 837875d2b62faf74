import { afterEach, describe, expect, it, vi } from 'vitest';

import { type AuditEntry, type GapEntry, UNNUMBERED } from '../record/audit-entry.js';
import { Journal, type JournalOptions } from './journal.js';
import { HandKeeper } from '../testing/hand-keeper.js';

function entry(params = '{}'): AuditEntry {
  return {
    kind: 'intent',
    n: UNNUMBERED,
    time: Date.now(),
    shared: { text: '{"kind":"intent","tool":"fs:write"}' },
    session: undefined,
    params,
  };
}

/** A journal whose keeper has answered once. */
async function opened(options: Partial<JournalOptions> = {}) {
  const keeper = new HandKeeper();
  const logged: string[] = [];
  const journal = new Journal({
    keeper,
    log: (level, message) => logged.push(`${level}: ${message}`),
    consequence: 'So it is.',
    ...options,
  });
  const isOpen = journal.open();
  await (await keeper.next()).kept();
  await isOpen;
  const commit = () => journal.commit(entry());
  return { journal, keeper, logged, commit };
}

describe('the line of entries', () => {
  afterEach(() => vi.useRealTimers());

  it('sends many at once, and few when they have waited for company', async () => {
    const { journal, keeper } = await opened();
    for (let i = 0; i < 16_044; i++) journal.note(entry());
    const full = await keeper.next();
    expect(full.entries).toHaveLength(16_000);
    await full.kept();
    const rest = await keeper.next();
    expect(rest.entries.map(({ n }) => n)).toEqual(
      Array.from({ length: 44 }, (_, i) => 16_000 + i),
    );
    await rest.kept();
  });

  it('sends long ones at once, before there is no room for more', async () => {
    const { journal, keeper } = await opened();
    // The time that an entry waits for company never ends.
    vi.useFakeTimers({ toFake: ['setTimeout', 'clearTimeout'] });
    for (let i = 0; i < 40; i++) {
      expect(journal.note(entry(`${'x'.repeat(1024 * 1024)}${i}`))).toBe(true);
      await (await keeper.next()).kept();
    }
    expect(keeper.entries).toHaveLength(40);
    expect(journal.status).toEqual({ waiting: 0, lost: 0 });
  });

  it('sends what somebody waits for at once; all that wait meanwhile share the next trip', async () => {
    const { keeper, commit } = await opened();
    const first = commit();
    const trip = await keeper.next();
    const others = [commit(), commit(), commit()];
    await trip.kept();
    expect(await first).toBeUndefined();
    const shared = await keeper.next();
    expect(shared.entries).toHaveLength(3);
    await shared.kept();
    expect(await Promise.all(others)).toEqual([undefined, undefined, undefined]);
  });

  it('sends what came while a trip took its time', async () => {
    const { journal, keeper } = await opened();
    journal.note(entry());
    const trip = await keeper.next();
    vi.useFakeTimers({ toFake: ['setTimeout', 'clearTimeout'] });
    journal.note(entry());
    // Longer than an entry waits for company.
    vi.advanceTimersByTime(300);
    vi.useRealTimers();
    await trip.kept();
    journal.note(entry());
    const next = await keeper.next();
    expect(next.entries.map(({ n }) => n)).toEqual([1, 2]);
    await next.kept();
  });

  it('tells all who wait that it failed, sends the same again, and says when it goes on', async () => {
    const { journal, keeper, commit, logged } = await opened();
    const waiting = [commit(), commit()];
    const trip = await keeper.next();
    await trip.failed('the disk is full');
    expect(await Promise.all(waiting)).toEqual(['the disk is full', 'the disk is full']);
    expect(journal.trouble).toBe('the disk is full');
    expect(await commit()).toBe('the disk is full');
    const again = await keeper.next();
    expect(again.entries.map(({ n }) => n)).toEqual([0]);
    await again.failed('the disk is full');
    await (await keeper.next()).kept();
    expect(keeper.entries.map(({ n }) => n)).toEqual([0]);
    expect(journal.trouble).toBeUndefined();
    expect(logged).toEqual([
      'warning: The audit log cannot be written: the disk is full. So it is.',
      'warning: The audit log is written again; 0 records were lost.',
    ]);
    // What came in meanwhile goes by itself: what was sent once is sent again to the letter.
    const rest = await keeper.next();
    expect(rest.entries.map(({ n }) => n)).toEqual([1, 2]);
  });

  it('counts what there is no room for, and leaves word of it in its place', async () => {
    const { journal, keeper, commit } = await opened({ maxWaiting: 3 });
    for (let i = 0; i < 3; i++) journal.note(entry());
    expect(journal.note(entry())).toBe(false);
    expect(await commit()).toBe('too many records wait for the disk');
    expect(journal.status).toEqual({ waiting: 3, lost: 2 });
    await (await keeper.next()).kept();
    await (await keeper.next()).kept();
    const gap = keeper.entries.at(-1) as GapEntry;
    expect(gap).toMatchObject({ kind: 'gap', n: 3, lost: 2 });
    expect(journal.status).toEqual({ waiting: 0, lost: 2 });
  });

  it('is bounded in characters as well', async () => {
    const { journal, keeper } = await opened();
    const params = 'x'.repeat(6 * 1024 * 1024);
    expect(journal.note(entry(`${params}1`))).toBe(true);
    expect(journal.note(entry(`${params}2`))).toBe(true);
    expect(journal.note(entry(`${params}3`))).toBe(false);
    await (await keeper.next()).kept();
    const rest = (await keeper.next()).entries;
    expect(rest.map(({ kind }) => kind)).toEqual(['intent', 'gap']);
    expect(rest[1]).toMatchObject({ lost: 1 });
    expect(journal.note(entry(params))).toBe(true);
  });

  it('takes a disk that is too slow for one that fails, until it answers', async () => {
    const { journal, keeper, commit } = await opened({ patienceMs: 20 });
    const slow = commit();
    const trip = await keeper.next();
    expect(await slow).toBe('the disk is too slow');
    expect(await commit()).toBe('the disk is too slow');
    await trip.kept();
    await (await keeper.next()).kept();
    expect(journal.trouble).toBeUndefined();
    expect(keeper.entries.map(({ n }) => n)).toEqual([0, 1]);
  });

  it('knows that it is in trouble when the very first word does not come', async () => {
    const keeper = new HandKeeper();
    const journal = new Journal({
      keeper,
      log: () => undefined,
      consequence: '',
      patienceMs: 20,
    });
    await journal.open();
    expect(journal.trouble).toBe('the disk is too slow');
  });

  it('keeps what waits before it closes', async () => {
    const { journal, keeper } = await opened();
    journal.note(entry());
    const closed = journal.close(10_000);
    await (await keeper.next()).kept();
    await closed;
    expect(keeper.entries).toHaveLength(1);
    expect(journal.note(entry())).toBe(false);
  });

  it('closes within its limit, and says what is lost', async () => {
    const { journal, logged } = await opened();
    journal.note(entry());
    await journal.close(20);
    expect(logged).toEqual(['warning: 1 records of calls were lost at the end.']);
  });

  it('does not report a batch that fails after it was closed', async () => {
    const { journal, keeper, commit, logged } = await opened();
    void commit();
    const trip = await keeper.next();
    await journal.close(20);
    await trip.failed('the thread that writes it ended');
    expect(logged).toEqual(['warning: 1 records of calls were lost at the end.']);
  });
});
