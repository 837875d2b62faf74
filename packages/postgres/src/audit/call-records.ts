/** Adds records of one journal to the tables. Run it inside a transaction that holds the journal. */

import { createHash } from 'node:crypto';

import type { AuditRecord, CallRow } from '@callsign/audit';
import { callRow, durationBucket, type EventRecord, isOfCall } from '@callsign/audit/store';

import type { Database, Statements } from '../database/database.js';

/** What calls have in common, in the order of the table. */
const FACTS = [
  'severity',
  'server',
  'tool',
  'name',
  'method',
  'risk',
  'evidence',
  'because',
  'decision',
  'rule',
  'decisions',
  'outcome',
  'caller',
  'client',
  'clientVersion',
  'era',
] as const satisfies readonly (keyof CallRow)[];

const COLUMNS = `day date, n bigint, time timestamptz, fact integer, bucket smallint, session text,
  ms double precision, retries integer, sizein bigint, sizeout bigint, announced boolean, fingerprint text,
  arguments text, is_end boolean`;
const DAY_LENGTH = '2026-11-15'.length;
const FINGERPRINT = /^sha256:((?:[0-9a-f]{2})+)$/;

/** Held by all that add, and by one that deletes facts. */
export function factsLock(database: Database): string {
  return `hashtextextended('${database.schema} facts', 0)`;
}

export async function addRecords(
  database: Database,
  statements: Statements,
  journal: number,
  records: readonly AuditRecord[],
  ensureDay: (day: string) => Promise<void>,
): Promise<void> {
  const calls = merged(records);
  if (calls.length > 0) {
    await statements.query(`select pg_advisory_xact_lock_shared(${factsLock(database)})`);
    const facts = await factsOf(database, statements, calls);
    const rows = calls.map(({ row, isEnd }) => ({
      day: row.time.slice(0, DAY_LENGTH),
      n: Number(row.id.slice(row.id.lastIndexOf('-') + 1)),
      time: row.time,
      fact: facts.get(factKey(row)),
      bucket: row.ms === null ? null : durationBucket(row.ms),
      session: row.session,
      ms: row.ms,
      retries: row.retries,
      sizein: row.sizeIn,
      sizeout: row.sizeOut,
      announced: row.announced,
      fingerprint: FINGERPRINT.exec(row.fingerprint ?? '')?.[1] ?? null,
      arguments: row.arguments,
      is_end: isEnd,
    }));
    const days = new Set(rows.map(({ day }) => day));
    for (const day of days) await ensureDay(day);
    // The intent of an end that comes alone may be of the day after the start of the call.
    await statements.query(
      `with given as (select * from json_to_recordset($2::json) as row (${COLUMNS})),
       ended as (
         update ${database.name('call_records')} as known
         set fact = given.fact, bucket = given.bucket, ms = given.ms, retries = given.retries, sizeout = given.sizeout
         from given
         where given.is_end and known.journal = $1 and known.n = given.n and known.day in (given.day, given.day + 1)
         returning known.n)
       insert into ${database.name('call_records')} (day, journal, n, time, fact, bucket, session, ms, retries,
         sizein, sizeout, announced, fingerprint, arguments)
       select day, $1, n, time, fact, bucket, session, ms, retries, sizein, sizeout, announced,
         decode(fingerprint, 'hex'), arguments
       from given where not is_end or n not in (select n from ended)
       on conflict do nothing`,
      [journal, JSON.stringify(rows)],
    );
  }
  await addEvents(database, statements, records);
}

interface MergedCall {
  readonly row: CallRow;
  /** The end of a call whose intent came before these records. */
  readonly isEnd: boolean;
}

/** The intent and the end of a call are one row. */
function merged(records: readonly AuditRecord[]): MergedCall[] {
  const calls = new Map<string, MergedCall>();
  for (const record of records) {
    if (!isOfCall(record)) continue;
    const row = callRow(record);
    const intent = calls.get(row.id);
    const isEnd = record.kind === 'call' && record.intent !== undefined && !intent;
    calls.set(row.id, { row: intent ? { ...row, time: intent.row.time } : row, isEnd });
  }
  return [...calls.values()];
}

function factKey(row: CallRow): string {
  return createHash('sha256')
    .update(JSON.stringify(FACTS.map((name) => row[name])))
    .digest('hex');
}

async function factsOf(
  database: Database,
  statements: Statements,
  calls: readonly MergedCall[],
): Promise<ReadonlyMap<string, number>> {
  const table = database.name('call_facts');
  const wanted = new Map(calls.map(({ row }) => [factKey(row), row]));
  const find = async (): Promise<Map<string, number>> => {
    const found = await statements.query<{ fact: number; key: string }>(
      `select fact, encode(key, 'hex') as key from ${table}
       where key in (select decode(key, 'hex') from unnest($1::text[]) as key)`,
      [[...wanted.keys()]],
    );
    return new Map(found.map(({ fact, key }) => [key, fact]));
  };
  const known = await find();
  const missing = [...wanted].filter(([key]) => !known.has(key));
  if (missing.length === 0) return known;
  // In one order, so that two instances with the same new facts do not wait for each other in a circle.
  const rows = missing
    .toSorted(([a], [b]) => (a < b ? -1 : 1))
    .map(([key, row]) => ({
      key,
      ...Object.fromEntries(FACTS.map((name) => [name.toLowerCase(), row[name]])),
    }));
  const columns = FACTS.map((name) => name.toLowerCase());
  await statements.query(
    `insert into ${table} (key, ${columns.join(', ')})
     select decode(key, 'hex'), ${columns.join(', ')}
     from json_to_recordset($1::json) as row (key text, ${columns.map((each) => `${each} text`).join(', ')})
     on conflict (key) do nothing`,
    [JSON.stringify(rows)],
  );
  return await find();
}

async function addEvents(
  database: Database,
  statements: Statements,
  records: readonly AuditRecord[],
): Promise<void> {
  const events = records.filter(
    (record): record is EventRecord => !isOfCall(record) && record.kind !== 'journal',
  );
  if (events.length === 0) return;
  await statements.query(
    `insert into ${database.name('events')} (id, time, kind, severity, journal, reason, count)
     select id, time, kind, severity, journal, reason, count from json_to_recordset($1::json)
       as row (id text, time timestamptz, kind text, severity text, journal text, reason text, count bigint)
     on conflict do nothing`,
    [JSON.stringify(events)],
  );
}
