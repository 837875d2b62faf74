/**
 * Adds the records of one journal to the tables. It must run in a transaction that has locked the
 * row of the journal.
 */

import { createHash } from 'node:crypto';

import type { AuditRecord, StoredCall } from '@callsign/audit';
import {
  bucketOf,
  CALL_FACTS,
  type EventRecord,
  isOfCall,
  storedCall,
} from '@callsign/audit/store';

import type { Database, Statements, Transaction } from '../database/database.js';
import { storableJson, storableText } from '../database/storable-json.js';
import { laterDay, utcDay } from './utc-day.js';

/** The columns in the order in which `copyLine` writes them. */
const COLUMNS = [
  'day',
  'journal',
  'n',
  'time',
  'fact',
  'bucket',
  'session',
  'ms',
  'waitedms',
  'retries',
  'sizein',
  'sizeout',
  'announced',
  'fingerprint',
  'arguments',
].join(', ');
export const FINGERPRINT = /^sha256:((?:[0-9a-f]{2})+)$/;

/**
 * The lock on facts. Transactions that add calls share it. The one that hides unused facts holds it alone, so that no
 * fact disappears before its first call is added.
 */
export function factsLock(database: Database): string {
  return `hashtextextended('${database.schema} facts', 0)`;
}

/**
 * Adds calls and events. `ensureDay` creates the partition of a day. The intent and the end of a
 * call become one row.
 */
export async function addRecords(
  database: Database,
  statements: Transaction,
  journal: number,
  records: readonly AuditRecord[],
  ensureDay: (day: string) => Promise<void>,
): Promise<void> {
  const calls = merged(records);
  if (calls.length > 0) {
    await statements.query(`select pg_advisory_xact_lock_shared(${factsLock(database)})`);
    const facts = await factsOf(database, statements, calls);
    const ended = await endCalls(database, statements, journal, calls, facts);
    const added = calls.filter(({ row, isEnd }) => !isEnd || !ended.has(numberOf(row.id)));
    const days = new Set(added.map(({ row }) => utcDay(row.time)));
    for (const day of days) await ensureDay(day);
    const rows = added.map(({ row, key }) => copyLine(row, journal, facts.get(key)!));
    if (rows.length > 0) {
      const table = `${database.name('call_records')} (${COLUMNS})`;
      await statements.copy(table, rows.join(''));
    }
  }
  await addEvents(database, statements, records);
}

/**
 * Completes rows that were added with an intent alone. Returns the numbers of the rows that it
 * found.
 */
async function endCalls(
  database: Database,
  statements: Statements,
  journal: number,
  calls: readonly MergedCall[],
  facts: ReadonlyMap<string, number>,
): Promise<ReadonlySet<number>> {
  const ends = calls.filter(({ isEnd }) => isEnd);
  if (ends.length === 0) return new Set();
  const end = async (some: readonly MergedCall[], days?: DaySpan): Promise<number[]> => {
    const ended = await statements.query<{ n: number }>(
      `update ${database.name('call_records')} as known
       set fact = given.fact, bucket = given.bucket, ms = given.ms, waitedms = given.waitedms,
         retries = given.retries, sizeout = given.sizeout
       from json_to_recordset($2::json) as given (n bigint, fact integer, bucket smallint, ms double precision,
         waitedms double precision, retries integer, sizeout bigint)
       where known.journal = $1 and known.n = given.n and known.ms is null
         ${days ? 'and known.day between $3 and $4' : ''} returning known.n`,
      [
        journal,
        JSON.stringify(some.map((call) => endOf(call, facts))),
        ...(days ? [days.first, days.last] : []),
      ],
    );
    return ended.map(({ n }) => n);
  };
  const found = new Set(await end(ends, daysOf(ends)));
  // A clock that was set in the meantime can put an intent on any day.
  const rest = ends.filter(({ row }) => !found.has(numberOf(row.id)));
  if (rest.length > 0) for (const n of await end(rest)) found.add(n);
  return found;
}

interface DaySpan {
  readonly first: string;
  readonly last: string;
}

/**
 * The days on which these calls announced themselves. An end has the time at which its call began,
 * and the intent came between that and the end.
 */
function daysOf(ends: readonly MergedCall[]): DaySpan {
  const begins = ends.map(({ row }) => row.time);
  const over = ends.map(({ row }) => Date.parse(row.time) + (row.ms ?? 0));
  const first = begins.reduce((a, b) => (a < b ? a : b));
  const last = new Date(over.reduce((a, b) => Math.max(a, b))).toISOString();
  return { first: laterDay(utcDay(first), -1), last: laterDay(utcDay(last), 1) };
}

function endOf({ row, key }: MergedCall, facts: ReadonlyMap<string, number>): object {
  const { ms, waitedMs, retries, sizeOut } = row;
  const [n, fact, bucket] = [numberOf(row.id), facts.get(key), bucketOf(row)];
  return { n, fact, bucket, ms, waitedms: waitedMs, retries, sizeout: sizeOut };
}

/** The number at the end of a record's id. */
export function numberOf(id: string): number {
  return Number(id.slice(id.lastIndexOf('-') + 1));
}

/** A row in the text format of COPY. */
function copyLine(row: StoredCall, journal: number, fact: number): string {
  const hash = FINGERPRINT.exec(row.fingerprint ?? '')?.[1];
  const { time, ms, waitedMs, retries, sizeIn, sizeOut, announced } = row;
  const start = `${utcDay(row.time)}\t${journal}\t${numberOf(row.id)}\t${time}\t${fact}\t`;
  const middle = `${bucketOf(row) ?? NULL}\t${escaped(row.session)}\t${ms ?? NULL}\t${waitedMs ?? NULL}\t`;
  const sizes = `${retries ?? NULL}\t${sizeIn}\t${sizeOut ?? NULL}\t${announced ? 't' : 'f'}\t`;
  const end = `${hash === undefined ? NULL : `\\\\x${hash}`}\t`;
  return `${start}${middle}${sizes}${end}${row.arguments === null ? NULL : escaped(row.arguments)}\n`;
}

const NULL = String.raw`\N`;
const SPECIAL: Readonly<Record<string, string>> = {
  '\\': String.raw`\\`,
  '\t': String.raw`\t`,
  '\n': String.raw`\n`,
  '\r': String.raw`\r`,
};

/** A text in the text format of COPY. */
function escaped(text: string): string {
  return storableText(text).replaceAll(/[\\\t\n\r]/g, (each) => SPECIAL[each]!);
}

interface MergedCall {
  readonly row: StoredCall;
  /** The hash of its facts. */
  readonly key: string;
  /** The intent is not among these records, so a row for this call may already exist. */
  readonly isEnd: boolean;
}

/** One row per call, from its intent, its end, or both. The time is that of the intent. */
function merged(records: readonly AuditRecord[]): MergedCall[] {
  const calls = new Map<string, MergedCall>();
  const keyOf = factKeys();
  for (const record of records) {
    if (!isOfCall(record)) continue;
    const row = storedCall(record);
    const intent = calls.get(row.id);
    const isEnd = record.kind === 'call' && record.intent !== undefined && !intent;
    const time = intent?.row.time ?? row.time;
    calls.set(row.id, { row: time === row.time ? row : { ...row, time }, key: keyOf(row), isEnd });
  }
  return [...calls.values()];
}

/**
 * Hashes the facts of a call. Most calls have the same facts as another, so hashes are remembered.
 */
function factKeys(): (row: StoredCall) => string {
  const known = new Map<string, string>();
  return (row) => {
    const text = JSON.stringify(CALL_FACTS.map((name) => row[name]));
    let key = known.get(text);
    if (key === undefined) {
      key = createHash('sha256').update(text).digest('hex');
      known.set(text, key);
    }
    return key;
  };
}

/** The ids of all facts by key. Facts that are missing are added. */
async function factsOf(
  database: Database,
  statements: Statements,
  calls: readonly MergedCall[],
): Promise<ReadonlyMap<string, number>> {
  const table = database.name('call_facts');
  const wanted = new Map(calls.map(({ row, key }) => [key, row]));
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
  // In a fixed order, so that two instances that add the same facts cannot deadlock.
  const rows = missing
    .toSorted(([a], [b]) => (a < b ? -1 : 1))
    .map(([key, row]) => ({
      key,
      ...Object.fromEntries(CALL_FACTS.map((name) => [name.toLowerCase(), row[name]])),
    }));
  const columns = CALL_FACTS.map((name) => name.toLowerCase());
  await statements.query(
    `insert into ${table} (key, ${columns.join(', ')})
     select decode(key, 'hex'), ${columns.join(', ')}
     from json_to_recordset($1::json) as row (key text, ${columns.map((each) => `${each} text`).join(', ')})
     on conflict (key) do nothing`,
    [storableJson(rows)],
  );
  return await find();
}

/** Events about journals themselves, such as lost records. */
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
    [storableJson(events)],
  );
}
