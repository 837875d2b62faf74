import { readdirSync, rmSync, utimesSync } from 'node:fs';
import { join } from 'node:path';

import { describe, expect, it, onTestFinished } from 'vitest';

import { journalFolder } from '../../../../test/testing/audit-folder.js';
import { Journal } from '../journal/journal.js';
import { type JournalFiles, journalsIn } from '../journal/journal-folder.js';
import { readerOf, recordsIn, verifyFolder } from '../testing/audit-rows.js';
import type { AuditStore } from '../store/audit-store.js';
import { sqliteStores } from '../store/sqlite-store.js';
import { callEntry, intentEntry } from '../testing/journal-entries.js';
import { fillStore } from './fill-store.js';
import { SteadyClock } from './upkeep.js';
import { Upkeep } from './upkeep.js';
import { committed } from '../testing/committed.js';

const MINUTE = 60_000;
const DAY = 24 * 60 * MINUTE;

function journalIn(folder: string): Journal {
  const journal = new Journal({
    folder,
    durability: 'process',
    rotateBytes: 2_000,
    log: () => undefined,
    consequence: '',
  });
  onTestFinished(() => journal.close(0));
  return journal;
}

async function write(journal: Journal, count: number): Promise<void> {
  for (let i = 0; i < count; i++) {
    const intent = intentEntry(i);
    await committed(journal, intent);
    journal.note(callEntry(i, intent));
  }
}

function upkeepOf(folder: string, journal: Journal, options: object = {}) {
  const logged: string[] = [];
  const log = (_: string, message: string): void => void logged.push(message);
  const upkeep = new Upkeep({ folder, journal, keepDays: 90, maxBytes: 2 ** 30, log, ...options });
  onTestFinished(() => upkeep.close());
  return { upkeep, logged };
}

/** Makes the files of a journal look as if they were last written days ago. */
function age(folder: string, { name }: Journal, days: number, parts = Infinity): void {
  const time = new Date(Date.now() - days * DAY);
  for (const { path } of filesOf(folder, name).parts.slice(0, parts)) utimesSync(path, time, time);
}

/** A journal of a process that ended long ago. */
async function oldJournal(folder: string): Promise<void> {
  const old = journalIn(folder);
  await write(old, 20);
  await old.close(1_000);
  age(folder, old, 400);
}

function filesOf(folder: string, name: string): JournalFiles {
  return journalsIn(folder).find((each) => each.name === name)!;
}

const callsIn = async (folder: string): Promise<number> =>
  (await readerOf(folder).stats({})).total.calls;

describe('upkeep', () => {
  it('fills the tables in a thread, once each', async () => {
    const folder = journalFolder();
    const journal = journalIn(folder);
    await write(journal, 50);
    const { upkeep, logged } = upkeepOf(folder, journal);
    await upkeep.run(true);
    await upkeep.run(true);
    expect(logged).toEqual([]);
    const store = sqliteStores.open({ folder, settings: undefined });
    onTestFinished(() => store.close());
    expect((await store.stats({})).total.calls).toBe(50);
  });

  it('fills a custom store without a thread', async () => {
    const folder = journalFolder();
    const journal = journalIn(folder);
    await write(journal, 50);
    const store = sqliteStores.open({ folder: join(folder, 'mine'), settings: undefined });
    const { upkeep } = upkeepOf(folder, journal, { store });
    await upkeep.run(true);
    expect((await store.stats({})).total.calls).toBe(50);
    expect(readdirSync(folder)).not.toContain('calls.db');
  });

  it('deletes old files of dead journals and of its own, says so, and all still verifies', async () => {
    const folder = journalFolder();
    const old = journalIn(folder);
    await write(old, 20);
    await old.close(1_000);
    age(folder, old, 100, 3);
    const journal = journalIn(folder);
    await write(journal, 20);
    await upkeepOf(folder, journal).upkeep.run(true);
    expect(filesOf(folder, old.name).parts[0]!.part).toBe(4);
    expect(await callsIn(folder)).toBeLessThan(40);
    const pruned = expect.objectContaining({ kind: 'pruned', journal: old.name }) as object;
    await expect.poll(() => recordsIn(folder)).toContainEqual(pruned);
    age(folder, old, 100);
    await upkeepOf(folder, journal).upkeep.run(true);
    await journal.close(1_000);
    expect(journalsIn(folder).map(({ name }) => name)).toEqual([journal.name]);
    expect(await verifyFolder(folder)).toMatchObject({ ok: true });
  });

  it('deletes the oldest files when they are too large together, its own included', async () => {
    const folder = journalFolder();
    const journal = journalIn(folder);
    await write(journal, 100);
    const before = journalsIn(folder)[0]!.parts.length;
    await upkeepOf(folder, journal, { maxBytes: 20_000 }).upkeep.run(false);
    const [files] = journalsIn(folder);
    expect(files!.parts.length).toBeLessThan(before / 2);
    await write(journal, 1);
    await journal.close(1_000);
    expect(await verifyFolder(folder)).toMatchObject({ ok: true, flaws: [] });
    const { total } = await readerOf(folder).stats({});
    expect(total.calls).toBeLessThan(60);
  });

  it('deletes at once what is too large, although the tables are being filled (G12)', async () => {
    const folder = journalFolder();
    const journal = journalIn(folder);
    await write(journal, 100);
    const before = journalsIn(folder)[0]!.parts.length;
    const positions = (): Promise<never> => new Promise(() => undefined);
    const store = { positions, close: () => Promise.resolve() } as unknown as AuditStore;
    const { upkeep } = upkeepOf(folder, journal, { maxBytes: 20_000, store });
    // It waits for the store, for ever.
    void upkeep.run(true);
    await upkeep.shrink();
    expect(journalsIn(folder)[0]!.parts.length).toBeLessThan(before / 2);
    await journal.close(1_000);
    expect(await verifyFolder(folder)).toMatchObject({ ok: true, flaws: [] });
  });

  it('F13: deletes nothing by age while the clock is not steady', async () => {
    const folder = journalFolder();
    await oldJournal(folder);
    const journal = journalIn(folder);
    await write(journal, 1);
    await upkeepOf(folder, journal).upkeep.run(false);
    expect(journalsIn(folder)).toHaveLength(2);
    expect(await callsIn(folder)).toBe(21);
  });

  it('only deletes while the machine is busy', async () => {
    const folder = journalFolder();
    await oldJournal(folder);
    const journal = journalIn(folder);
    await write(journal, 5);
    const { upkeep } = upkeepOf(folder, journal);
    await upkeep.run(true, false);
    expect(journalsIn(folder).map(({ name }) => name)).toEqual([journal.name]);
    const store = sqliteStores.open({ folder, settings: undefined });
    onTestFinished(() => store.close());
    expect((await store.stats({})).total.calls).toBe(0);
    await upkeep.run(true);
    expect((await store.stats({})).total.calls).toBe(5);
  });

  it('ends after the current slice, and the next round continues from there', async () => {
    const folder = journalFolder();
    const journal = journalIn(folder);
    await write(journal, 50);
    const store = sqliteStores.open({ folder, settings: undefined });
    onTestFinished(() => store.close());
    const end = new AbortController();
    const calls = async (): Promise<number> => (await store.stats({})).total.calls;
    const filling = fillStore({ folder, store, recordsAtOnce: 10, rest: 1e6, signal: end.signal });
    await expect.poll(calls).toBeGreaterThan(0);
    end.abort();
    await filling;
    expect(await calls()).toBeLessThan(50);
    await fillStore({ folder, store });
    expect(await calls()).toBe(50);
  });

  it('fills dropped tables again with the same content', async () => {
    const folder = journalFolder();
    const journal = journalIn(folder);
    await write(journal, 30);
    await journal.close(1_000);
    const before = await readerOf(folder).list({ limit: 100 });
    expect(before).toHaveLength(30);
    for (const file of readdirSync(folder)) {
      if (file.startsWith('calls.db')) rmSync(join(folder, file));
    }
    expect(await readerOf(folder).list({ limit: 100 })).toEqual(before);
  });
});

describe('F13: a clock', () => {
  it('is steady when it has not jumped for ten minutes', () => {
    const clock = new SteadyClock();
    expect(clock.look(0, 0)).toBe(false);
    expect(clock.look(9 * MINUTE, 9 * MINUTE)).toBe(false);
    expect(clock.look(10 * MINUTE, 10 * MINUTE)).toBe(true);
    // Four hundred days ahead, and back after a second.
    expect(clock.look(400 * DAY, 11 * MINUTE)).toBe(false);
    expect(clock.look(11 * MINUTE + 1_000, 11 * MINUTE + 1_000)).toBe(false);
    expect(clock.look(20 * MINUTE, 20 * MINUTE)).toBe(false);
    expect(clock.look(22 * MINUTE, 22 * MINUTE)).toBe(true);
  });
});
