import { mkdirSync, rmSync, truncateSync, utimesSync } from 'node:fs';
import { join } from 'node:path';

import { describe, expect, it, onTestFinished } from 'vitest';

import { journalFolder } from '../../../../test/testing/audit-folder.js';
import { CAN_MOUNT, SmallDisk } from '../../../../test/testing/small-disk.js';
import { openJournal, ship, writeCalls } from '../../../../test/testing/written-journal.js';
import type { Journal } from '../journal/journal.js';
import { journalsIn } from '../journal/journal-folder.js';
import type { ListOptions } from '../store/audit-store.js';
import { SqliteStore, sqliteStores } from '../store/sqlite-store.js';
import { committed } from '../testing/committed.js';
import { callEntry, intentEntry } from '../testing/journal-entries.js';
import { fillStore } from '../upkeep/fill-store.js';
import { AuditReader } from './audit-reader.js';
import { backlogIn, withNewest } from './newest-records.js';

const MIB = 1024 * 1024;
const HOUR = 60 * 60 * 1000;

function writing(folder: string, rotateBytes: number): Journal {
  const journal = openJournal(folder, rotateBytes);
  onTestFinished(() => journal.close(0));
  return journal;
}

function readerOf(folder: string) {
  const said: string[] = [];
  const store = sqliteStores.open({ folder, settings: undefined });
  const reader = new AuditReader({ folder, store, say: (sentence) => said.push(sentence) });
  onTestFinished(() => reader.close());
  return { reader, said };
}

/** Intents come long before their ends, so many of them are in another part. No two have the same time. */
async function writeCrossed(journal: Journal, start: number): Promise<void> {
  let time = start;
  const intents = Array.from({ length: 60 }, (_, i) => ({ ...intentEntry(i), time: time++ }));
  const note = (i: number, intent?: (typeof intents)[number]): void =>
    void journal.note({ ...callEntry(i, intent), time: intent?.time ?? time++ });
  for (const [i, intent] of intents.entries()) {
    await committed(journal, intent);
    if (i >= 20) note(i - 20, intents[i - 20]);
    if (i % 7 === 0) note(100 + i);
    if (i % 11 === 0) journal.note({ kind: 'gap', n: -1, time: time++, reason: 'r', count: i });
  }
  journal.flush();
}

describe('the newest records of journals (G13)', () => {
  const OPTIONS: readonly ListOptions[] = [
    { limit: 5 },
    { limit: 40 },
    { limit: 1_000 },
    { limit: 1_000, outcome: 'ok' },
    { limit: 7, outcome: 'tool-error' },
    { limit: 1_000, since: new Date(Date.now() + HOUR) },
    { limit: 1_000, severity: 'warning' },
    { limit: 1_000, tool: 'fs:*' },
  ];

  it('are the same as those of the tables, with all, some or none of them in the tables', async () => {
    const folder = journalFolder();
    const start = Date.now() - HOUR;
    await writeCrossed(writing(folder, 3_000), start);
    await writeCrossed(writing(folder, 3_000), start + 1_000);
    expect(journalsIn(folder)[0]!.parts.length).toBeGreaterThan(5);
    const all = new SqliteStore(join(journalFolder(), 'calls.db'));
    onTestFinished(() => all.close());
    await ship(folder, all);
    for (const filled of [0, 30, 100, 1_000]) {
      const some = new SqliteStore(join(journalFolder(), 'calls.db'));
      onTestFinished(() => some.close());
      const end = new AbortController();
      await fillStore({
        folder,
        store: some,
        recordsAtOnce: 10,
        signal: end.signal,
        onProgress: (records) => records >= filled && end.abort(),
      });
      for (const options of OPTIONS) {
        const backlog = backlogIn(folder, await some.positions());
        const rows = await withNewest(folder, backlog, await some.list(options), options);
        expect(rows).toEqual(await all.list(options));
      }
    }
  });

  it('are listed from the end of a large journal, without reading the rest', async () => {
    const folder = journalFolder();
    const journal = writing(folder, 100_000);
    await writeCalls(journal, 2_000);
    const [{ parts } = { parts: [] }] = journalsIn(folder);
    expect(parts.length).toBeGreaterThan(5);
    // A list that reads these two fails, or takes very long.
    const [first, second] = parts;
    rmSync(first!.path);
    mkdirSync(first!.path);
    truncateSync(second!.path, 600 * MIB);
    const yesterday = new Date(Date.now() - 24 * HOUR);
    for (const { path } of [first!, second!]) utimesSync(path, yesterday, yesterday);
    const { reader, said } = readerOf(folder);
    const told: number[] = [];
    const rows = await reader.list({ limit: 50 }, (records) => told.push(records));
    expect(rows).toHaveLength(50);
    expect(rows.at(-1)).toMatchObject({ kind: 'call', tool: 'fs:x', outcome: null });
    const since = new Date(Date.now() - HOUR);
    expect((await reader.list({ limit: 10_000, since })).length).toBeGreaterThan(1_000);
    expect(said).toEqual([]);
  });

  it('say how many records were read', async () => {
    const folder = journalFolder();
    const journal = writing(folder, 32 * MIB);
    for (let i = 0; i < 80_000; i++) {
      journal.note(callEntry(i));
      if (i % 10_000 === 0) journal.flush();
    }
    journal.flush();
    const { reader } = readerOf(folder);
    const told: number[] = [];
    const rows = await reader.list({ limit: 5, outcome: 'none' }, (count) => told.push(count));
    expect(rows).toEqual([]);
    expect(told.length).toBeGreaterThan(3);
    expect(told.at(-1)).toBeLessThanOrEqual(80_002);
  });
});

describe.skipIf(!CAN_MOUNT)('records on a full disk (G18)', () => {
  it.each([
    ['without tables', false],
    ['with tables', true],
  ])('are listed %s', async (_, hasTables) => {
    const disk = new SmallDisk();
    const journal = writing(disk.folder, MIB);
    await writeCalls(journal, 10);
    if (hasTables) await readerOf(disk.folder).reader.list({ limit: 1 });
    await writeCalls(journal, 10);
    disk.fill();
    const { reader, said } = readerOf(disk.folder);
    const rows = await reader.list({ limit: 100 });
    expect(rows).toHaveLength(22);
    expect(rows.filter((row) => row.kind === 'call' && row.outcome === 'ok')).toHaveLength(20);
    expect(said.length).toBeLessThanOrEqual(1);
    if (said[0]) expect(said[0]).toContain('The tables cannot be used: the disk');
  });
});
