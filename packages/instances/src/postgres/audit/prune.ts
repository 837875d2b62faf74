/**
 * Deletes old records: whole days as partitions, then the rest row by row. One instance does it at
 * a time; others skip it.
 */

import type { Place } from '@callsign/audit';
import { lineHead } from '@callsign/audit/store';

import type { Database, Statements } from '../database/database.js';
import { factsLock } from './call-records.js';
import { partitionDays, utcDay } from './utc-day.js';

/** Deletes what is older than `before`, a time in ISO form. Returns the number of deleted calls. */
export async function pruneBefore(database: Database, before: string): Promise<number> {
  return await database.transaction(async (statements) => {
    const [lock] = await statements.query<{ ours: boolean }>(
      `select pg_try_advisory_xact_lock(hashtextextended($1, 0)) as ours`,
      [`${database.schema} prune`],
    );
    if (!lock?.ours) return 0;
    let calls = 0;
    const records = database.name('call_records');
    const days = await partitionDays(database, statements);
    for (const day of days.filter((each) => each < utcDay(before))) {
      const [count] = await statements.query<{ calls: number }>(
        `select count(*) as calls from ${records} where day = $1`,
        [day],
      );
      calls += count?.calls ?? 0;
      await notePruned(database, statements, day);
      await statements.query(`select ${database.name('drop_day')}($1)`, [day]);
    }
    const [rest] = await statements.query<{ calls: number }>(
      `with gone as (delete from ${records} where time < $1 and day <= $2 returning 1)
       select count(*) as calls from gone`,
      [before, utcDay(before)],
    );
    calls += rest?.calls ?? 0;
    await statements.query(`delete from ${database.name('events')} where time < $1`, [before]);
    await statements.query(
      `delete from ${database.name('journals')} as journal where not is_open and changed_at < $1
         and not exists (select from ${database.name('journal_lines')} as kept where kept.journal = journal.id)
         and not exists (select from ${records} as call where call.journal = journal.id)`,
      [before],
    );
    if (calls > 0) await deleteFacts(database, statements);
    return calls;
  });
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

/** Deletes facts that no call has any more. */
async function deleteFacts(database: Database, statements: Statements): Promise<void> {
  await statements.query(`select pg_advisory_xact_lock(${factsLock(database)})`);
  await statements.query(
    `delete from ${database.name('call_facts')} as fact where not exists
       (select from ${database.name('call_records')} as call where call.fact = fact.fact)`,
  );
}
