/**
 * Deletes old records: whole days as partitions, then the rest row by row, in many small transactions, so that none keeps
 * other instances waiting. One instance does it at a time; others skip it.
 */

import type { Place } from '@callsign/audit';
import { lineHead } from '@callsign/audit/store';

import { ASK_MS, type Database, type Statements } from '../database/database.js';
import { factsLock } from './call-records.js';
import { partitionDays, utcDay } from './utc-day.js';

/** The most rows that one transaction deletes. */
const BATCH = 5_000;
/** The most facts that one run deletes. The next one deletes others. */
const MAX_FACTS = 50_000;

/** Deletes what is older than `before`, a time in ISO form. Returns the number of deleted calls. */
export async function pruneBefore(database: Database, before: string): Promise<number> {
  const last = utcDay(before);
  const days = await partitionDays(database, database);
  let calls = 0;
  for (const day of days.filter((each) => each < last)) {
    calls += (await alone(database, (statements) => dropDay(database, statements, day))) ?? 0;
  }
  const records = database.name('call_records');
  calls += await deleteRows(database, records, 'time < $1 and day = $2', [before, last]);
  await deleteRows(database, database.name('events'), 'time < $1', [before]);
  await alone(database, (statements) =>
    statements.query(
      `delete from ${database.name('journals')} as journal where not is_open and changed_at < $1
         and not exists (select from ${database.name('journal_lines')} as line where line.journal = journal.id)
         and not exists (select from ${records} as call where call.journal = journal.id)`,
      [before],
    ),
  );
  if (calls > 0) await deleteFacts(database);
  return calls;
}

/** Runs a transaction if no other instance deletes records at this moment. */
async function alone<T>(
  database: Database,
  run: (statements: Statements) => Promise<T>,
): Promise<T | undefined> {
  return await database.transaction(async (statements) => {
    const [lock] = await statements.query<{ ours: boolean }>(
      `select pg_try_advisory_xact_lock(hashtextextended($1, 0)) as ours`,
      [`${database.schema} prune`],
    );
    return lock?.ours ? await run(statements) : undefined;
  }, ASK_MS);
}

/** Returns how many calls the day had. */
async function dropDay(database: Database, statements: Statements, day: string): Promise<number> {
  const [count] = await statements.query<{ calls: number }>(
    `select count(*) as calls from ${database.name('call_records')} where day = $1`,
    [day],
  );
  await notePruned(database, statements, day);
  await statements.query(`select ${database.name('drop_day')}($1)`, [day]);
  return count!.calls;
}

/** `which` may select from one partition only: rows are found by their place in it. Returns how many were deleted. */
async function deleteRows(
  database: Database,
  table: string,
  which: string,
  values: readonly string[],
): Promise<number> {
  const some = `select ctid from ${table} where ${which} limit ${BATCH}`;
  const sql = `delete from ${table} where ${which} and ctid = any(array(${some})) returning 1`;
  let deleted = 0;
  for (;;) {
    const rows = (await alone(database, (statements) => statements.query(sql, values))) ?? [];
    deleted += rows.length;
    if (rows.length < BATCH) return deleted;
  }
}

/** The last lines of a journal on a day. */
interface LastLines {
  readonly journal: number;
  readonly part: number;
  readonly size: number;
  readonly n: number;
}

/**
 * Notes in each journal where it begins from now on, so that the rest of its hash chain can be
 * verified. Must run before the lines of the day are dropped.
 */
async function notePruned(database: Database, statements: Statements, day: string): Promise<void> {
  const lines = database.name('journal_lines');
  const last = await statements.query<LastLines>(
    `select distinct on (journal) journal, part, "end" as size, last_n as n from ${lines}
     where day = $1 order by journal, part desc, start desc`,
    [day],
  );
  for (const { journal, part, size, n } of last) {
    const [next] = await statements.query<{ line: string }>(
      `select split_part(lines, E'\\n', 1) as line from ${lines}
       where journal = $1 and part > $2 order by part, start limit 1`,
      [journal, part],
    );
    // The next part begins with the hash of the line before it. Without a next part, the anchor
    // has that hash.
    const hash = next && lineHead(next.line)?.prev;
    const place: Omit<Place, 'hash'> = { part, size, n };
    await statements.query(
      `update ${database.name('journals')} set pruned = $2::jsonb
         || jsonb_build_object('hash', coalesce($3, anchor::jsonb -> 'end' ->> 'hash', '')) where id = $1`,
      [journal, JSON.stringify(place), hash ?? null],
    );
  }
}

/**
 * Deletes facts that no call has any more. The search reads all calls, so it runs without the lock on facts. Between the
 * search and the deletion, the facts get keys under which no new call finds them.
 */
async function deleteFacts(database: Database): Promise<void> {
  const facts = database.name('call_facts');
  const isUnused = `not exists
    (select from ${database.name('call_records')} as call where call.fact = unused.fact)`;
  const found = await alone(database, (statements) =>
    statements.query<{ fact: number }>(
      `select fact from ${facts} as unused where ${isUnused} limit ${MAX_FACTS}`,
    ),
  );
  if (!found || found.length === 0) return;
  const given = [found.map(({ fact }) => fact)];
  const isHidden = await alone(database, async (statements) => {
    await statements.query(`select pg_advisory_xact_lock(${factsLock(database)})`);
    await statements.query(
      `update ${facts} set key = key || int4send(fact) where fact = any($1)`,
      given,
    );
    return true;
  });
  if (!isHidden) return;
  await alone(database, (statements) =>
    statements.query(`delete from ${facts} as unused where fact = any($1) and ${isUnused}`, given),
  );
}
