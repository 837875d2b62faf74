/** The queries behind lists and statistics of calls. */

import type { Stats, StatsGroup, StoredCall, StoredEvent, TimelineStep } from '@callsign/audit';
import {
  type AuditFilter,
  type CallsOfDay,
  type CallsOfTool,
  statsOf,
} from '@callsign/audit/store';

import { ASK_MS, type Database } from '../database/database.js';
import { callCondition, eventCondition } from './call-condition.js';

/** A row as PostgreSQL returns it: names in lower case, times as dates. */
type CallColumns = Omit<
  StoredCall,
  'kind' | 'time' | 'clientVersion' | 'waitedMs' | 'sizeIn' | 'sizeOut'
> & {
  readonly time: Date;
  readonly clientversion: string;
  readonly waitedms: number | null;
  readonly sizein: number;
  readonly sizeout: number | null;
};

/**
 * For questions about many rows. Without JIT: with many partitions it compiles longer than the
 * question takes. With more memory, PostgreSQL groups rows without sorting them on disk.
 */
const SETTINGS = `select set_config('jit', 'off', true), set_config('work_mem', '64MB', true)`;

async function ask<Row extends object>(
  database: Database,
  sql: string,
  values: readonly unknown[],
): Promise<Row[]> {
  return await database.transaction(async (statements) => {
    await statements.query(SETTINGS);
    return await statements.query<Row>(sql, values);
  }, ASK_MS);
}

/** The newest calls that match, the oldest of them first. */
export async function newestCalls(
  database: Database,
  filter: AuditFilter,
  limit: number,
): Promise<StoredCall[]> {
  const { sql, values } = callCondition(database, filter);
  // The search uses the index alone. Only the rows that are shown are joined.
  const rows = await ask<CallColumns>(
    database,
    `select journals.writer || '-' || found.n as id, found.time, severity, server, tool, name, method, risk,
       evidence, because, decision, rule, decisions, outcome, caller, client, clientversion, session, era, ms,
       waitedms, retries, sizein, sizeout, 'sha256:' || encode(fingerprint, 'hex') as fingerprint, arguments, announced, script,
       account
     from (select * from ${database.name('call_records')} where ${sql}
       order by time desc, journal desc, n desc limit $${values.length + 1}) as found
     join ${database.name('call_facts')} using (fact)
     join ${database.name('journals')} as journals on journals.id = found.journal
     order by found.time, found.journal, found.n`,
    [...values, limit],
  );
  return rows.map(({ time, clientversion, waitedms, sizein, sizeout, ...row }) => ({
    ...row,
    kind: 'call',
    time: time.toISOString(),
    clientVersion: clientversion,
    waitedMs: waitedms,
    sizeIn: sizein,
    sizeOut: sizeout,
  }));
}

/** The newest events that match, the oldest of them first. */
export async function newestEvents(
  database: Database,
  filter: AuditFilter,
  limit: number,
): Promise<StoredEvent[]> {
  const { sql, values } = eventCondition(filter);
  const rows = await database.query<Omit<StoredEvent, 'time'> & { time: Date }>(
    `select * from ${database.name('events')} where ${sql}
     order by time desc, id desc limit $${values.length + 1}`,
    [...values, limit],
  );
  return rows.map((row) => ({ ...row, time: row.time.toISOString() })).toReversed();
}

/** A group of calls of one tool and caller or, if `day` is set, of one day. */
type Counted = CallsOfTool & { readonly day: string | null };

/** Groups calls by tool and by day in one pass over the table. */
export async function statsFor(database: Database, filter: AuditFilter): Promise<Stats> {
  const { sql, values } = callCondition(database, filter);
  const facts = database.name('call_facts');
  const groups = await ask<Counted>(
    database,
    `with counted as (
       select fact, day, failed, bucket, count(*) as calls, sum(size) as characters, grouping(fact) = 1 as is_day
       from (select fact, day, bucket, sizein + coalesce(sizeout, 0) as size, fact in (select fact from ${facts} where outcome not in ('ok', 'dry-run')) as failed
         from ${database.name('call_records')} where ${sql}) as calls
       group by grouping sets ((fact, bucket), (day, failed, bucket)))
     select server, tool, coalesce(caller, client) as caller, null as day, coalesce(outcome not in ('ok', 'dry-run'), false) as failed,
       bucket, sum(calls)::bigint as calls, sum(characters)::bigint as characters
     from counted join ${facts} using (fact) where not is_day group by 1, 2, 3, 5, 6
     union all
     select null, null, null, day::text, failed, bucket, calls, characters::bigint from counted where is_day`,
    values,
  );
  const isOfDay = (group: Counted): group is Counted & CallsOfDay => group.day !== null;
  return statsOf(
    groups.filter((group) => !isOfDay(group)),
    groups.filter(isOfDay),
  );
}

/** The name of a step is the beginning of its times in ISO form. */
const STEP_NAMES: Readonly<Record<TimelineStep, string>> = {
  day: 'YYYY-MM-DD',
  hour: 'YYYY-MM-DD"T"HH24',
  minute: 'YYYY-MM-DD"T"HH24:MI',
};

/** Calls and errors per step, oldest first. Steps without calls are left out. */
export async function timelineFor(
  database: Database,
  filter: AuditFilter,
  step: TimelineStep,
): Promise<StatsGroup[]> {
  const { sql, values } = callCondition(database, filter);
  return await ask<StatsGroup & { name: string }>(
    database,
    `select to_char(start, '${STEP_NAMES[step]}') as name, calls, errors
     from (select date_trunc('${step}', time at time zone 'UTC') as start, count(*) as calls,
         count(*) filter (where fact in
           (select fact from ${database.name('call_facts')} where outcome not in ('ok', 'dry-run'))) as errors
       from ${database.name('call_records')} where ${sql} group by 1) as steps
     order by start`,
    values,
  );
}
