/** Statistics in SQL. Each question reads one index from end to end, and returns few groups. */

import type { AuditFilter } from './audit-filter.js';
import type { Stats } from './audit-store.js';
import type { Connection } from './sqlite-schema.js';
import { callCondition } from './sqlite-filter.js';
import { statsOf } from './stats-sum.js';

interface Fact {
  readonly fact: number;
  readonly server: string | null;
  readonly tool: string;
  readonly caller: string | null;
  readonly client: string;
  readonly outcome: string | null;
}

export function sqliteStats(db: Connection, filter: AuditFilter): Stats {
  const { sql, values } = callCondition(filter);
  const facts = new Map(
    (
      db
        .prepare('SELECT fact, server, tool, caller, client, outcome FROM call_facts')
        .all() as Fact[]
    ).map((fact) => [fact.fact, fact]),
  );
  const byFact = db
    .prepare(`SELECT fact, bucket, count(*) FROM call_records WHERE ${sql} GROUP BY fact, bucket`)
    .raw(true)
    .all(...values) as [fact: number, bucket: number | null, calls: number][];
  const byDay = db
    .prepare(
      `SELECT day, failed, bucket, count(*) FROM call_records WHERE ${sql} GROUP BY day, failed, bucket`,
    )
    .raw(true)
    .all(...values) as [day: string, failed: number, bucket: number | null, calls: number][];
  return statsOf(
    byFact.flatMap(([fact, bucket, calls]) => {
      const known = facts.get(fact);
      if (!known) return [];
      const { server, tool, caller, client, outcome } = known;
      const failed = outcome !== null && outcome !== 'ok';
      return [{ server, tool, caller: caller ?? client, failed, bucket, calls }];
    }),
    byDay.map(([day, failed, bucket, calls]) => ({ day, failed: failed === 1, bucket, calls })),
  );
}
