import { appendFileSync, readdirSync } from 'node:fs';
import { join } from 'node:path';

import { AuditReader } from '@callsign/audit/query';
import { expect, it, onTestFinished, vi } from 'vitest';

import { describePostgres } from '../../../../../test/testing/postgres.js';
import { scratch } from '../../../../../test/testing/scratch.js';
import { openJournal, ship, writeCalls } from '../../../../../test/testing/written-journal.js';
import { connectionOptions } from '../database/connection-options.js';
import { Database } from '../database/database.js';
import { postgresSource } from './journal-lines.js';
import { PostgresStore } from './postgres-store.js';

describePostgres('the tables of calls on PostgreSQL', (postgres) => {
  /** A journal with calls and an event, in the database. */
  async function shipped(calls = 40) {
    const database = await postgres.open();
    const store = new PostgresStore(database);
    const machine = scratch();
    const journal = openJournal(machine, 5_000);
    onTestFinished(() => journal.close(0));
    await writeCalls(journal, calls);
    journal.event({ kind: 'gap', reason: 'a \u0000 reason', count: 2 });
    await writeCalls(journal, 2);
    await ship(machine, store, 7);
    const reader = new AuditReader({ folder: machine, store, source: postgresSource(database) });
    return { database, store, machine, journal, reader };
  }

  it('are compared with the journals, even while calls are going on (L4)', async () => {
    const { reader, journal, machine, store } = await shipped();
    expect(await reader.verify()).toMatchObject({ ok: true, flaws: [] });
    await writeCalls(journal, 30);
    const writing = (async () => {
      for (let i = 0; i < 10; i++) {
        await writeCalls(journal, 20);
        await ship(machine, store, 3);
      }
    })();
    for (let i = 0; i < 10; i++) expect((await reader.verify()).flaws).toEqual([]);
    await writing;
    expect(await reader.verify()).toMatchObject({ ok: true, flaws: [] });
  });

  const CHANGES: readonly (readonly [what: string, sql: string, message: RegExp])[] = [
    ['a tool', `update {call_facts} set tool = 'fs:harmless'`, /something else .*: tool/],
    [
      'an outcome',
      `update {call_facts} set outcome = 'tool-error' where outcome = 'ok'`,
      /outcome/,
    ],
    ['a caller', `update {call_facts} set caller = 'key:eve'`, /caller/],
    ['a time', `update {call_records} set time = time - interval '1 minute' where n = 5`, /time/],
    ['a duration', `update {call_records} set ms = 7 where n = 5`, /bucket, ms|ms/],
    ['arguments', `update {call_records} set fingerprint = null where n = 5`, /fingerprint/],
    ['an end', `update {call_records} set ms = null where n = 5`, /does not have its end/],
    [
      'a forged end',
      `update {call_records} set ms = 1 where ms is null`,
      /an end that no journal has/,
    ],
    ['a missing call', `delete from {call_records} where n = 5`, /does not have it\./],
    ['all calls missing', `delete from {call_records}`, /does not have it\./],
    [
      'a forged call',
      `insert into {call_records} select day, journal, 9999, time, fact, bucket, session, ms, retries,
         sizein, sizeout, announced, fingerprint, arguments from {call_records} where n = 5`,
      /no journal has/,
    ],
    [
      'a call twice',
      `insert into {call_records} select * from {call_records} where n = 5`,
      /twice|no journal has/,
    ],
    ['an event', `update {events} set count = 0`, /table of events has something else/],
    ['a missing event', `delete from {events}`, /table of events does not have it/],
    [
      'a forged event',
      `insert into {events} select 'forged-1', time, kind, severity, journal, reason, count from {events}`,
      /rows that no journal has: 1/,
    ],
    ['a writer', `update {journals} set writer = 'forged'`, /written by forged/],
  ];

  it.each(CHANGES)('show %s that was changed (L4)', async (_, sql, message) => {
    const { database, reader } = await shipped();
    await database.query(sql.replaceAll(/\{(\w+)\}/g, (__, table: string) => database.name(table)));
    const { ok, flaws } = await reader.verify();
    expect(ok).toBe(false);
    expect(flaws.map(({ flaw }) => flaw)).toContain('differs');
    expect(flaws.map((each) => each.message).join('\n')).toMatch(message);
  });

  it('may lack what was deleted for its age, and nothing else (L4)', async () => {
    const { database, store, reader } = await shipped();
    // An older day makes today a day of which nothing may be missing.
    await database.query(`select ${database.name('add_day')}((now() - interval '3 days')::date)`);
    await database.query(`delete from ${database.name('call_records')} where n < 10`);
    expect((await reader.verify()).flaws.map(({ flaw }) => flaw)).toContain('differs');
    await store.prune(new Date(Date.now() - 24 * 60 * 60_000).toISOString());
    // Nothing of the last day is ever deleted for its age.
    expect((await reader.verify()).flaws.map(({ flaw }) => flaw)).toContain('differs');
  });

  it('may lack the calls of the oldest day that were too old (L4)', async () => {
    const database = await postgres.open();
    const store = new PostgresStore(database);
    const machine = scratch();
    vi.useFakeTimers({ toFake: ['Date'], now: new Date('2026-03-05T22:00:00Z') });
    onTestFinished(() => void vi.useRealTimers());
    const journal = openJournal(machine);
    onTestFinished(() => journal.close(0));
    for (let hour = 0; hour < 5; hour++) {
      vi.setSystemTime(new Date(Date.parse('2026-03-05T21:30:00Z') + hour * 60 * 60_000));
      await writeCalls(journal, 6);
    }
    await ship(machine, store);
    const reader = new AuditReader({ folder: scratch(), store, source: postgresSource(database) });
    const flaws = async (): Promise<string[]> =>
      (await reader.verify()).flaws.map((each) => each.message);
    expect(await flaws()).toEqual([]);
    await store.prune('2026-03-05T23:00:00.000Z');
    expect(await flaws()).toEqual([]);
    await store.prune('2026-03-06T01:00:00.000Z');
    expect(await flaws()).toEqual([]);
    // A gap among those that are kept is no matter of age.
    const records = database.name('call_records');
    await database.query(
      `delete from ${records} where n = (select n from ${records} order by n offset 2 limit 1)`,
    );
    expect(await flaws()).toEqual([expect.stringContaining('does not have')]);
  });

  it('of a journal that has just begun are no alarm (G5)', async () => {
    const { database, store } = await shipped();
    const machine = scratch();
    const journal = openJournal(machine);
    onTestFinished(() => journal.close(0));
    await writeCalls(journal, 3);
    // An instance adds the lines first, and the anchor after them.
    await ship(machine, Object.assign(new PostgresStore(database), { anchor: undefined }));
    const reader = new AuditReader({ folder: scratch(), store, source: postgresSource(database) });
    expect(await reader.verify()).toMatchObject({ ok: true, flaws: [], journals: 2 });
  });

  it('on a database that only reads do not hide what is in the journal (G8)', async () => {
    const { database, machine, journal } = await shipped(10);
    const { url } = postgres.server;
    const options = new URLSearchParams({ options: '-c default_transaction_read_only=on' });
    const connection = connectionOptions(`${url}?${options}`, undefined);
    const replica = new Database({ connection, schema: database.schema, connections: 1 });
    onTestFinished(() => replica.close());
    const store = new PostgresStore(replica);
    const said: string[] = [];
    const source = postgresSource(replica);
    const say = (sentence: string): void => void said.push(sentence);
    const reader = new AuditReader({ folder: machine, store, source, addsLocal: true, say });
    const before = await reader.list({ limit: 1_000 });
    const isSeen = await reader.verify();
    await writeCalls(journal, 25);
    await expect(ship(machine, store)).rejects.toThrow('read-only');
    const rows = await reader.list({ limit: 1_000 });
    expect(rows).toHaveLength(before.length + 26);
    expect(await reader.list({ limit: 3 })).toHaveLength(3);
    expect(said).toEqual([]);
    await reader.stats({});
    expect(said).toEqual([expect.stringContaining('only in its journal')]);
    const seen = await reader.verify();
    expect(seen).toMatchObject({ ok: true, calls: isSeen.calls + 25 });
    expect(seen.notes).toContainEqual(
      expect.objectContaining({ note: 'unshared', count: 25, journal: journal.name }),
    );
    // What is only in the journal is verified, too.
    await journal.close(1_000);
    const parts = readdirSync(machine).filter((file) => file.endsWith('.jsonl'));
    appendFileSync(join(machine, parts.toSorted().at(-1)!), '{"id":"forged"}\n');
    expect(await reader.verify()).toMatchObject({ ok: false });
  });
});
