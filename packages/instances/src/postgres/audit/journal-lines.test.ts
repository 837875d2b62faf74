import type { Position, SourceJournal } from '@callsign/audit';
import { AuditReader } from '@callsign/audit/query';
import { lineHead } from '@callsign/audit/store';
import { expect, it } from 'vitest';

import { describePostgres } from '../../../../../test/testing/postgres.js';
import { scratch } from '../../../../../test/testing/scratch.js';
import { openJournal, ship, writeCalls } from '../../../../../test/testing/written-journal.js';
import type { Database } from '../database/database.js';
import { postgresSource } from './journal-lines.js';
import { PostgresStore } from './postgres-store.js';

describePostgres('journals on PostgreSQL', (postgres) => {
  async function opened(): Promise<{
    database: Database;
    store: PostgresStore;
    reader: AuditReader;
  }> {
    const database = await postgres.open();
    const store = new PostgresStore(database);
    const reader = new AuditReader({ folder: scratch(), store, source: postgresSource(database) });
    return { database, store, reader };
  }

  async function exported(reader: AuditReader): Promise<string[]> {
    const lines: string[] = [];
    for await (const line of reader.export('jsonl')) lines.push(line);
    return lines;
  }

  /** All lines of a journal from a position on, with the position after each. */
  async function textsFrom(
    journal: SourceJournal,
    from?: Position,
  ): Promise<{ text: string; at: Position }[]> {
    const found: { text: string; at: Position }[] = [];
    for await (const { part, lines } of journal.lines(from)) {
      for (const { text, end } of lines) found.push({ text, at: { part, offset: end } });
    }
    return found;
  }

  it('reads a journal in its order, even if a clock was set back between two parts', async () => {
    const { database, store, reader } = await opened();
    const machine = scratch();
    const journal = openJournal(machine, 3_000);
    await writeCalls(journal, 80);
    await journal.close(1_000);
    await ship(machine, store);
    const lines = database.name('journal_lines');
    await database.query(`select ${database.name('add_day')}('2026-01-02')`);
    for (const part of [2, 4]) {
      await database.query(`update ${lines} set day = '2026-01-02' where part = ${part}`);
    }
    expect(await reader.verify()).toMatchObject({ ok: true, flaws: [], notes: [] });
    const files = new AuditReader({ folder: machine, store });
    expect(await exported(reader)).toEqual(await exported(files));
  });

  it('continues inside a row, after the last line that was read', async () => {
    const { database, store, reader } = await opened();
    const machine = scratch();
    const journal = openJournal(machine, 9_000);
    await writeCalls(journal, 100);
    await journal.close(1_000);
    await ship(machine, store, 20);
    const [read] = await postgresSource(database).journals();
    const all = await textsFrom(read!);
    const ends = all.map(({ at }) => at);
    for (const n of [0, 3, 19, 20, 57, all.length - 2, all.length - 1]) {
      expect(await textsFrom(read!, ends[n])).toEqual(all.slice(n + 1));
    }
    expect(all.map(({ text }) => text)).toEqual((await exported(reader)).slice(0, -1));
  });

  it('shows a record without reading the journal before it', async () => {
    const { database, store, reader } = await opened();
    const machine = scratch();
    const journal = openJournal(machine, 9_000);
    await writeCalls(journal, 100);
    await journal.close(1_000);
    await ship(machine, store, 10);
    const [read] = await postgresSource(database).journals();
    const calls = await reader.list({ limit: 1_000 });
    for (const { id } of [calls[0]!, calls[50]!, calls.at(-1)!]) {
      const n = Number(id.slice(id.lastIndexOf('-') + 1));
      const [first] = await textsFrom(read!, await read!.near!(n));
      expect(lineHead(first!.text)!.n).toBeGreaterThan(n - 10);
      expect(lineHead(first!.text)!.n).toBeLessThanOrEqual(n);
      expect((await reader.show(id))[0]!.record.id).toBe(id);
    }
    expect(await reader.show(`${read!.writer}-99999`)).toEqual([]);
    expect(await reader.show(`${read!.writer}-x`)).toEqual([]);
  });

  it('shows a record with its other half', async () => {
    const { store, reader } = await opened();
    const machine = scratch();
    const journal = openJournal(machine);
    await writeCalls(journal, 2);
    await ship(machine, store);
    await journal.close(0);
    const [, call] = await reader.list({ limit: 10, outcome: 'ok' });
    const shown = await reader.show(call!.id);
    expect(shown.map(({ record }) => record.kind)).toEqual(['intent', 'call']);
  });
});
