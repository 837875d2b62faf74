/** Questions about calls. */

import type { CallRow, EventRow, Stats } from '@callsign/audit';
import {
  type AuditFilter,
  type CallsOfDay,
  type CallsOfTool,
  statsOf,
} from '@callsign/audit/store';

import type { Database } from '../database/database.js';
import { callCondition, eventCondition } from './call-condition.js';

type CallColumns = Omit<CallRow, 'kind' | 'time' | 'clientVersion' | 'sizeIn' | 'sizeOut'> & {
  readonly time: Date;
  readonly clientversion: string;
  readonly sizein: number;
  readonly sizeout: number | null;
};

export async function newestCalls(
  database: Database,
  filter: AuditFilter,
  limit: number,
): Promise<CallRow[]> {
  const { sql, values } = callCondition(database, filter);
  // Searched in the index alone; only the rows that are shown are joined.
  const rows = await database.query<CallColumns>(
    `select journals.writer || '-' || found.n as id, found.time, severity, server, tool, name, method, risk,
       evidence, because, decision, rule, decisions, outcome, caller, client, clientversion, session, era, ms,
       retries, sizein, sizeout, 'sha256:' || encode(fingerprint, 'hex') as fingerprint, arguments, announced
     from (select * from ${database.name('call_records')} where ${sql}
       order by time desc, journal desc, n desc limit $${values.length + 1}) as found
     join ${database.name('call_facts')} using (fact)
     join ${database.name('journals')} as journals on journals.id = found.journal
     order by found.time, found.journal, found.n`,
    [...values, limit],
  );
  return rows.map(({ time, clientversion, sizein, sizeout, ...row }) => ({
    ...row,
    kind: 'call',
    time: time.toISOString(),
    clientVersion: clientversion,
    sizeIn: sizein,
    sizeOut: sizeout,
  }));
}

export async function newestEvents(
  database: Database,
  filter: AuditFilter,
  limit: number,
): Promise<EventRow[]> {
  const { sql, values } = eventCondition(filter);
  const rows = await database.query<Omit<EventRow, 'time'> & { time: Date }>(
    `select * from ${database.name('events')} where ${sql}
     order by time desc, id desc limit $${values.length + 1}`,
    [...values, limit],
  );
  return rows.map((row) => ({ ...row, time: row.time.toISOString() })).toReversed();
}

/** Each question reads the table once and returns few groups. */
export async function statsFor(database: Database, filter: AuditFilter): Promise<Stats> {
  const { sql, values } = callCondition(database, filter);
  const facts = database.name('call_facts');
  // Counted by fact first: the names of facts are looked up once per group, not per call.
  const counted = (columns: string): string =>
    `select ${columns}, bucket, count(*) as calls from ${database.name('call_records')}
     where ${sql} group by ${columns}, bucket`;
  const [byTool, byDay] = await Promise.all([
    database.query<CallsOfTool>(
      `select server, tool, coalesce(caller, client) as caller, coalesce(outcome <> 'ok', false) as failed, bucket,
         sum(calls)::bigint as calls
       from (${counted('fact')}) as counted join ${facts} using (fact)
       group by 1, 2, 3, 4, 5`,
      values,
    ),
    database.query<CallsOfDay>(
      `select day::text as day, coalesce(outcome <> 'ok', false) as failed, bucket, sum(calls)::bigint as calls
       from (${counted('day, fact')}) as counted join ${facts} using (fact) group by 1, 2, 3`,
      values,
    ),
  ]);
  return statsOf(byTool, byDay);
}
