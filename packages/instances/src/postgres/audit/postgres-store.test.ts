import type { AuditFilter } from '@callsign/audit';
import { AuditReader } from '@callsign/audit/query';
import { SqlTrouble } from '@callsign/audit/store';
import { expect, it, vi } from 'vitest';

import {
  callRecord,
  intentRecord,
  sliceOf,
  storeContract,
} from '../../../../../test/contracts/audit-store.js';
import { describePostgres } from '../../../../../test/testing/postgres.js';
import { scratch } from '../../../../../test/testing/scratch.js';
import { openJournal, ship, writeCalls } from '../../../../../test/testing/written-journal.js';
import type { Database } from '../database/database.js';
import { callCondition } from './call-condition.js';
import { factsLock } from './call-records.js';
import { postgresSource } from './journal-lines.js';
import { PostgresStore } from './postgres-store.js';

const JOURNAL = '20261115T093012-writerab';

describePostgres('the tables of calls on PostgreSQL', (postgres) => {
  storeContract('PostgreSQL', async () => new PostgresStore(await postgres.open()));

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

  it('has complete journals of several machines, which can be verified', async () => {
    const { store, reader } = await opened();
    for (const machine of [scratch(), scratch()]) {
      const journal = openJournal(machine, 5_000);
      await writeCalls(journal, 40);
      await ship(machine, store);
      await writeCalls(journal, 5);
      await journal.close(1_000);
      await ship(machine, store);
      const files = new AuditReader({ folder: machine, store });
      const lines = await exported(files);
      expect(await exported(reader)).toEqual(expect.arrayContaining(lines));
    }
    expect(await reader.verify()).toMatchObject({ ok: true, journals: 2, flaws: [], notes: [] });
    const { total } = await reader.stats({});
    // Two machines, 45 calls each, and one intent without an end after each of two rounds.
    expect(total.calls).toBe(2 * (45 + 2));
    expect(await reader.list({ limit: 1000, outcome: 'ok' })).toHaveLength(90);
  });

  it('opens no partition of a day that a filter leaves out', async () => {
    const { database, store } = await opened();
    const records = Array.from({ length: 60 }, (_, n) =>
      callRecord(n, { time: new Date(Date.UTC(2026, 8, 1 + n, 12)).toISOString() }),
    );
    await store.add('20260901T093012-writerab', sliceOf(...records), undefined, {
      part: 1,
      offset: 9,
    });
    const partitions = async (filter: AuditFilter): Promise<number> => {
      const { sql, values } = callCondition(database, filter);
      const plan = await database.query(
        `explain select * from ${database.name('call_records')} where ${sql}`,
        values,
      );
      return new Set(JSON.stringify(plan).match(/call_records_2026(09|10)\d\d/g)).size;
    };
    const [since, until] = [new Date('2026-10-05T10:00:00Z'), new Date('2026-10-07T10:00:00Z')];
    expect(await partitions({})).toBe(60);
    expect(await partitions({ since, until })).toBe(3);
    expect(await partitions({ since, server: 'fs', text: 'x' })).toBe(26);
    expect(await partitions({ until, tool: '*' })).toBe(37);
  });

  it('accepts the first records of a day from many instances at once', async () => {
    const { database, reader } = await opened();
    const machines = Array.from({ length: 8 }, () => scratch());
    for (const machine of machines) {
      const journal = openJournal(machine);
      await writeCalls(journal, 3);
      await journal.close(1_000);
    }
    await Promise.all(machines.map((machine) => ship(machine, new PostgresStore(database))));
    expect(await reader.verify()).toMatchObject({ ok: true, journals: 8, flaws: [] });
  });

  it('verifies a journal that is still being written', async () => {
    const { store, reader } = await opened();
    const machine = scratch();
    const journal = openJournal(machine);
    for (let round = 0; round < 5; round++) {
      await writeCalls(journal, 10);
      await ship(machine, store, 7);
      expect(await reader.verify()).toMatchObject({ ok: true, flaws: [] });
    }
    await journal.close(0);
  });

  it('finds edits, gaps and a missing end in the database', async () => {
    const { database, store, reader } = await opened();
    const machine = scratch();
    const journal = openJournal(machine);
    await writeCalls(journal, 60);
    await journal.close(1_000);
    await ship(machine, store, 20);
    expect(await reader.verify()).toMatchObject({ ok: true });
    const flawsAfter = async (change: string): Promise<string[]> => {
      await database.query(change);
      const { flaws } = await reader.verify();
      return flaws.map(({ flaw }) => flaw);
    };
    const lines = database.name('journal_lines');
    const first = `(select min(start) from ${lines})`;
    await database.query(`create table ${database.name('copy')} as select * from ${lines}`);
    const restore = async (): Promise<void> => {
      await database.query(`delete from ${lines}`);
      await database.query(`insert into ${lines} select * from ${database.name('copy')}`);
    };
    expect(
      await flawsAfter(
        `update ${lines} set lines = replace(lines, '"outcome":"ok"', '"outcome":"no"') where start = ${first}`,
      ),
    ).toContain('edited');
    await restore();
    expect(await reader.verify()).toMatchObject({ ok: true });
    const middle = `(select start from ${lines} order by start offset 1 limit 1)`;
    expect(await flawsAfter(`delete from ${lines} where start = ${middle}`)).toContain('missing');
    await restore();
    const last = `(select max(start) from ${lines})`;
    expect(await flawsAfter(`delete from ${lines} where start = ${last}`)).toEqual(['truncated']);
  });

  it('continues at its position after an outage of the database', async () => {
    const { store, reader } = await opened();
    const machine = scratch();
    const journal = openJournal(machine);
    await writeCalls(journal, 30);
    await ship(machine, store);
    await postgres.stop();
    await writeCalls(journal, 30);
    await expect(ship(machine, store)).rejects.toThrow('the database cannot be reached');
    await postgres.server.start();
    await writeCalls(journal, 30);
    await journal.close(1_000);
    await expect.poll(() => ship(machine, store).catch(() => -1)).toBe(0);
    expect(await reader.verify()).toMatchObject({ ok: true });
    expect((await reader.stats({ outcome: 'ok' })).total.calls).toBe(90);
  });

  it('adds nothing twice if several processes ship one folder at once', async () => {
    const { database, store, reader } = await opened();
    const machine = scratch();
    const journal = openJournal(machine);
    await writeCalls(journal, 200);
    await journal.close(1_000);
    const others = [1, 2, 3].map(() => new PostgresStore(postgres.again(database)));
    await Promise.all([store, ...others].map((each) => ship(machine, each, 13)));
    await ship(machine, store);
    expect(await reader.verify()).toMatchObject({ ok: true });
    expect((await reader.stats({ outcome: 'ok' })).total.calls).toBe(200);
  });

  it('has one row for a call that began before midnight and whose intent was shipped after it', async () => {
    const { store } = await opened();
    const journal = '20261115T093012-writerab';
    const at = (time: string): { time: string } => ({ time });
    await store.add(journal, sliceOf(intentRecord(1, at('2026-11-16T00:00:00.001Z'))), undefined, {
      part: 1,
      offset: 1,
    });
    const end = callRecord(2, { intent: 'writerab-1', ...at('2026-11-15T23:59:59.999Z') });
    await store.add(journal, sliceOf(end), { part: 1, offset: 1 }, { part: 1, offset: 2 });
    expect(await store.list({ limit: 10 })).toMatchObject([
      { id: 'writerab-1', outcome: 'ok', time: '2026-11-16T00:00:00.001Z' },
    ]);
  });

  it('accepts texts with characters that the database cannot store', async () => {
    const { store } = await opened();
    const name = 'zero \0, half \uD83D, tab \t, line \n, slash \\N, end';
    const record = callRecord(1, { name, session: name, arguments: { name }, rule: name });
    await store.add('20261115T093012-writerab', sliceOf(record), undefined, { part: 1, offset: 1 });
    const kept = 'zero , half \uFFFD, tab \t, line \n, slash \\N, end';
    const [row] = await store.list({ limit: 10 });
    expect(row).toMatchObject({ name: kept, session: kept, rule: kept });
    // As JSON, the arguments have no such characters.
    expect(row).toMatchObject({ arguments: JSON.stringify({ name }) });
  });

  it('drops whole days, and what is left can still be verified', async () => {
    const { database, store, reader } = await opened();
    const machine = scratch();
    const journal = openJournal(machine, 3_000);
    await writeCalls(journal, 40);
    await journal.close(1_000);
    await ship(machine, store);
    // As if the first parts had been written two days ago.
    const lines = database.name('journal_lines');
    await database.query(`select ${database.name('add_day')}('2026-01-02')`);
    const moved = await database.query(
      `update ${lines} set day = '2026-01-02' where part <= 2 returning 1`,
    );
    expect(moved.length).toBeGreaterThan(1);
    await store.prune('2026-01-03T00:00:00.000Z');
    const left = await database.query<{ part: number }>(`select part from ${lines}`);
    expect(Math.min(...left.map(({ part }) => part))).toBe(3);
    expect(await reader.verify()).toMatchObject({ ok: true, flaws: [] });
    await database.query(`update ${database.name('journals')} set pruned = null`);
    expect((await reader.verify()).flaws.map(({ flaw }) => flaw)).toContain('missing');
  });

  it('deletes a large part of a day in batches (K7)', async () => {
    const { database, store } = await opened();
    const records = Array.from({ length: 12_001 }, (_, n) =>
      callRecord(n, { time: n < 12_000 ? '2026-11-15T09:00:00.000Z' : '2026-11-15T11:00:00.000Z' }),
    );
    await store.add(JOURNAL, sliceOf(...records), undefined, { part: 1, offset: 1 });
    const left: number[] = [];
    const transaction = database.transaction.bind(database);
    vi.spyOn(database, 'transaction').mockImplementation(async (run, limitMs) => {
      const result = await transaction(run, limitMs);
      const rows = await database.query(`select 1 from ${database.name('call_records')}`);
      left.push(rows.length);
      return result;
    });
    expect(await store.prune('2026-11-15T10:00:00.000Z')).toBe(12_000);
    expect(left.slice(0, 3)).toEqual([7_001, 2_001, 1]);
  });

  it('deletes facts that no call has any more, and calls can have them again', async () => {
    const { database, store } = await opened();
    const facts = async (): Promise<string[]> => {
      const rows = await database.query<{ tool: string }>(
        `select tool from ${database.name('call_facts')} order by tool`,
      );
      return rows.map(({ tool }) => tool);
    };
    const [first, second] = [
      { part: 1, offset: 1 },
      { part: 1, offset: 2 },
    ];
    const old = { tool: 'fs:old', time: '2026-11-15T09:00:00.000Z' };
    const records = [callRecord(1, old), callRecord(2, { time: '2026-11-16T09:00:00.000Z' })];
    await store.add(JOURNAL, sliceOf(...records), undefined, first);
    expect(await facts()).toEqual(['fs:old', 'fs:read_file']);
    expect(await store.prune('2026-11-16T00:00:00.000Z')).toBe(1);
    expect(await facts()).toEqual(['fs:read_file']);
    const again = callRecord(3, { ...old, time: '2026-11-16T10:00:00.000Z' });
    await store.add(JOURNAL, sliceOf(again), first, second);
    expect(await facts()).toEqual(['fs:old', 'fs:read_file']);
    expect(await store.list({ limit: 10, tool: 'fs:old' })).toHaveLength(1);
  });

  it('deletes old calls while another instance adds some', async () => {
    const { database, store } = await opened();
    const records = [1, 2].map((n) => callRecord(n, { time: `2026-11-15T0${n}:00:00.000Z` }));
    await store.add(JOURNAL, sliceOf(...records), undefined, { part: 1, offset: 1 });
    await postgres.again(database).transaction(async (statements) => {
      await statements.query(`select pg_advisory_xact_lock_shared(${factsLock(database)})`);
      expect(await store.prune('2026-11-15T01:30:00.000Z')).toBe(1);
    });
  });

  it('reports records of other machines as they come in', async () => {
    const { store, reader } = await opened();
    const halt = new AbortController();
    const news = reader.tail({ signal: halt.signal })[Symbol.asyncIterator]();
    const machine = scratch();
    const journal = openJournal(machine);
    const first = news.next();
    await writeCalls(journal, 1);
    await ship(machine, store);
    expect((await first).value).toMatchObject({ kind: 'call', tool: 'fs:x' });
    halt.abort();
    await journal.close(0);
  });

  it('runs SQL that only reads, and refuses any other', async () => {
    const { database, store } = await opened();
    await store.add('20261115T093012-writerab', sliceOf(callRecord(1), callRecord(2)), undefined, {
      part: 1,
      offset: 1,
    });
    expect(
      await store.query('select tool, count(*) as calls from calls group by tool;', 10),
    ).toEqual({ columns: ['tool', 'calls'], rows: [['fs:read_file', 2]], isCut: false });
    const cut = await store.query('select id, clientVersion, time from calls order by id', 1);
    expect(cut).toMatchObject({ isCut: true, rows: [['writerab-1', '1', expect.any(String)]] });
    for (const sql of [
      'delete from calls',
      'select 1; drop table events',
      'delete from events returning id',
      'with gone as (delete from events returning id) select * from gone',
      `copy (select 1) to program 'true'`,
      'commit',
      `select * from calls; commit; drop schema ${database.schema} cascade`,
      `select ${database.schema}.drop_day('2026-11-15')`,
    ]) {
      await expect(store.query(sql, 10), sql).rejects.toThrow(SqlTrouble);
    }
    for (const call of [
      "pg_read_file('/etc/passwd')",
      `"pg_ls_dir"('/')`,
      "pg_catalog . lo_import /* x */ ('/etc/passwd')",
      "set_config('search_path', 'x', false)",
      "pg_notify('a', 'b')",
      'pg_advisory_lock(1)',
      "query_to_xml('select 1', true, true, '')",
    ]) {
      await expect(store.query(`select ${call}`, 1), call).rejects.toThrow('is not allowed here');
    }
    for (const sql of [
      "select $$'$$, pg_sleep(0), $$'$$",
      "select E'\\', pg_sleep(0) --'",
      "select U&'\\0027', pg_sleep(0) --'",
      "select 1 -- '\r, pg_sleep(0) --'",
      "select 1 /* /* */ ' */, pg_sleep(0) --'",
      'select nonsense from calls',
    ]) {
      await expect(store.query(sql, 1), sql).rejects.toThrow(SqlTrouble);
    }
    const many = `with recent(tool) as (select tool from calls where outcome = any(array['ok']))
      select count(*) filter (where tool like '%'), max(length(tool))::numeric(10, 2), 9007199254740993,
        to_char(now(), 'YYYY') > '2000', '{"a": 1}'::jsonb @> '{"a": 1}' from recent -- all of it`;
    const { rows } = await store.query(many, 1);
    expect(rows).toEqual([[2, '12.00', '9007199254740993', true, true]]);
    expect(await store.list({ limit: 10 })).toHaveLength(2);
  });
});
