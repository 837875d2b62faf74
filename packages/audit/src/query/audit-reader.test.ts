import { describe, expect, it, onTestFinished } from 'vitest';

import { journalFolder } from '../../../../test/testing/audit-folder.js';
import { openJournal } from '../../../../test/testing/written-journal.js';
import { folderSource, type JournalSource } from '../journal/journal-source.js';
import type { Journal } from '../journal/journal.js';
import type { AuditRecord } from '../record/audit-record.js';
import type { AuditStore } from '../store/audit-store.js';
import { readerOf, recordsIn } from '../testing/audit-rows.js';
import { callEntry, intentEntry } from '../testing/journal-entries.js';
import { AuditReader } from './audit-reader.js';
import { CSV_HEAD, toCsvLine } from './audit-export.js';
import { committed } from '../testing/committed.js';

function opened() {
  const folder = journalFolder();
  const journal = openJournal(folder);
  onTestFinished(() => journal.close(0));
  const reader = readerOf(folder);
  onTestFinished(() => reader.close());
  return { folder, journal, reader };
}

/** Calls with an intent each. All intents come first. */
async function write(journal: Journal, count: number): Promise<void> {
  const intents = Array.from({ length: count }, (_, i) => intentEntry(i));
  for (const intent of intents) await committed(journal, intent);
  for (const [i, intent] of intents.entries()) journal.note(callEntry(i, intent));
  journal.flush();
}

async function all<T>(items: AsyncIterable<T>): Promise<T[]> {
  const found: T[] = [];
  for await (const item of items) found.push(item);
  return found;
}

describe('a reader', () => {
  it('knows whether anything was recorded', async () => {
    const { reader, journal } = opened();
    expect(await reader.hasRecords()).toBe(false);
    await write(journal, 1);
    expect(await reader.hasRecords()).toBe(true);
  });

  it('brings the tables up to date before each query, and says how many records are new', async () => {
    const { reader, journal } = opened();
    await write(journal, 2);
    const told: number[] = [];
    // The header of the file is a record too.
    expect(await reader.refresh((count) => told.push(count))).toBe(5);
    expect(told).toEqual([5]);
    expect(await reader.refresh()).toBe(0);
    await write(journal, 1);
    expect(await reader.list({ limit: 10 })).toHaveLength(3);
    await write(journal, 1);
    expect((await reader.stats({})).total.calls).toBe(4);
    await write(journal, 1);
    expect(await reader.timeline({}, 'day')).toMatchObject([{ calls: 5 }]);
    await write(journal, 1);
    expect((await reader.query('SELECT count(*) FROM calls', 9)).rows).toEqual([[6]]);
  });

  it('leaves tables alone that other processes fill', async () => {
    const { folder, journal } = opened();
    await write(journal, 1);
    const asked: string[] = [];
    const days = [{ name: '2026-11-15', calls: 1, errors: 0 }];
    const store = {
      stats: () => Promise.resolve({ days }),
      close: () => Promise.resolve(void asked.push('store closed')),
    } as unknown as AuditStore;
    const source: JournalSource = {
      ...folderSource(folder),
      close: () => Promise.resolve(void asked.push('source closed')),
    };
    const reader = new AuditReader({ folder, store, source });
    expect(await reader.refresh()).toBe(0);
    // A store that only knows days answers in days.
    expect(await reader.timeline({}, 'minute')).toEqual(days);
    await expect(reader.query('SELECT 1', 1)).rejects.toThrow('its store does not support SQL');
    await reader.close();
    expect(asked).toEqual(['store closed', 'source closed']);
  });
});

describe('a record that is shown', () => {
  it('comes with its other half, whichever was asked for, and in their order', async () => {
    const { folder, journal, reader } = opened();
    await write(journal, 10);
    const records = recordsIn(folder);
    const end = records.at(-2) as AuditRecord & { intent: string };
    const intent = records.find(({ id }) => id === end.intent)!;
    const both = [
      { journal: journal.name, record: intent, prev: expect.stringMatching(/^[0-9a-f]{64}$/) },
      { journal: journal.name, record: end },
    ];
    expect(await reader.show(end.id)).toEqual(both);
    expect(await reader.show(intent.id)).toEqual(both);
  });

  it('is alone if it has no other half', async () => {
    const { folder, journal, reader } = opened();
    await committed(journal, intentEntry(1));
    journal.note(callEntry(2));
    journal.event({ kind: 'alarm', reason: 'r', count: 0 });
    journal.flush();
    for (const record of recordsIn(folder)) {
      expect((await reader.show(record.id)).map((shown) => shown.record)).toEqual([record]);
    }
  });

  it('is the one with exactly this id', async () => {
    const { journal, reader } = opened();
    await write(journal, 12);
    const writer = journal.name.split('-')[1]!;
    const [shown] = await reader.show(`${writer}-1`);
    expect(shown!.record.id).toBe(`${writer}-1`);
    for (const id of [`${writer}-99`, `${writer}-x`, `${writer}-`, 'nobody-1', '', writer]) {
      expect(await reader.show(id), id).toEqual([]);
    }
  });
});

describe('a tail', () => {
  it('has the records that match from the moment it was asked for, until the signal', async () => {
    const { folder, journal, reader } = opened();
    await write(journal, 1);
    const end = new AbortController();
    const tail = reader.tail({ outcome: 'ok', signal: end.signal });
    await new Promise(setImmediate);
    await write(journal, 2);
    const seen: string[] = [];
    for await (const { id } of tail) {
      seen.push(id);
      if (seen.length === 2) await write(journal, 1);
      if (seen.length === 3) end.abort();
    }
    const ends = recordsIn(folder).filter(({ kind }) => kind === 'call');
    expect(seen).toEqual(ends.slice(1).map(({ id }) => id));
  });

  it('ends at once if its signal has already ended', async () => {
    const { reader } = opened();
    expect(await all(reader.tail({ signal: AbortSignal.abort() }))).toEqual([]);
  });

  it('gives the error to its reader if the journals cannot be read', async () => {
    const { folder } = opened();
    const trouble = new Error('no database');
    const source = { ...folderSource(folder), ends: () => Promise.reject(trouble) };
    const store = { close: () => Promise.resolve() } as unknown as AuditStore;
    const tail = new AuditReader({ folder, store, source }).tail({
      signal: new AbortController().signal,
    });
    await new Promise(setImmediate);
    await expect(all(tail)).rejects.toThrow(trouble);
  });
});

describe('an export', () => {
  it('as JSON lines has the lines of the journal, and the anchor only if nothing is left out', async () => {
    const { folder, journal, reader } = opened();
    await write(journal, 2);
    await journal.close(1_000);
    const lines = await all(reader.export('jsonl'));
    expect(lines).toHaveLength(6);
    expect(lines[0]).toMatch(/^\{"prev":"0{64}","id":"[^"]+","time":"[^"]+","kind":"journal"/);
    expect(JSON.parse(lines[5]!)).toMatchObject({ anchor: { journal: journal.name } });
    const ends = recordsIn(folder).filter(({ kind }) => kind === 'call');
    const some = await all(reader.export('jsonl', { outcome: 'ok' }));
    expect(some.map((line) => (JSON.parse(line) as AuditRecord).id)).toEqual(
      ends.map(({ id }) => id),
    );
  });

  it('as CSV has one line for each record that matches, below a head', async () => {
    const { folder, journal, reader } = opened();
    await write(journal, 2);
    const records = recordsIn(folder);
    expect(await all(reader.export('csv'))).toEqual([CSV_HEAD, ...records.map(toCsvLine)]);
    expect(await all(reader.export('csv', { server: 'none' }))).toEqual([CSV_HEAD]);
  });
});
