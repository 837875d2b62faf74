/** Questions about calls. */

import type { CallRow, EventRow, Stats } from '@callsign/audit';
import { type AuditFilter, statsOf } from '@callsign/audit/store';

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

interface Group {
  readonly day: string;
  readonly fact: number;
  readonly bucket: number | null;
  readonly calls: number;
}

interface Fact {
  readonly fact: number;
  readonly server: string | null;
  readonly tool: string;
  readonly caller: string | null;
  readonly client: string;
  readonly outcome: string | null;
}

export async function statsFor(database: Database, filter: AuditFilter): Promise<Stats> {
  const { sql, values } = callCondition(database, filter);
  const groups = await database.query<Group>(
    `select day::text, fact, bucket, count(*) as calls from ${database.name('call_records')}
     where ${sql} group by day, fact, bucket`,
    values,
  );
  const facts = await database.query<Fact>(
    `select fact, server, tool, caller, client, outcome from ${database.name('call_facts')}
     where fact = any($1)`,
    [[...new Set(groups.map(({ fact }) => fact))]],
  );
  const byFact = new Map(facts.map((fact) => [fact.fact, fact]));
  const counted = groups.flatMap(({ day, fact, bucket, calls }) => {
    const known = byFact.get(fact);
    if (!known) return [];
    const { server, tool, caller, client, outcome } = known;
    const failed = outcome !== null && outcome !== 'ok';
    return [{ day, server, tool, caller: caller ?? client, failed, bucket, calls }];
  });
  return statsOf(counted, counted);
}
