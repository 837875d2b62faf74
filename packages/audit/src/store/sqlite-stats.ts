/** Statistics in SQL. Each query reads one index from end to end and returns few groups. */

import { isFailure } from '@callsign/core';

import type { AuditFilter } from './audit-filter.js';
import type { Stats } from './audit-store.js';
import type { Connection } from './sqlite-schema.js';
import { callCondition, choosesFacts, IS_FAILED } from './sqlite-filter.js';
import { statsOf } from './stats-sum.js';

/** The facts that statistics are grouped by. */
interface Fact {
  readonly fact: number;
  readonly server: string | null;
  readonly tool: string;
  readonly caller: string | null;
  readonly client: string;
  readonly outcome: string | null;
}

const DAY_OF_FACT = [`substr(time, 1, ${'2026-11-15'.length})`, IS_FAILED];

/** Of the arguments and the result. */
const CHARACTERS = 'sum(sizeIn + ifnull(sizeOut, 0))';

type ByFact = [fact: number, bucket: number | null, calls: number, characters: number];
type ByDay = [
  day: string,
  failed: number,
  bucket: number | null,
  calls: number,
  characters: number,
];
type ByBoth = [fact: number, ...ByDay];

export function sqliteStats(db: Connection, filter: AuditFilter): Stats {
  const { sql, values } = callCondition(filter);
  const facts = new Map(
    (
      db
        .prepare('SELECT fact, server, tool, caller, client, outcome FROM call_facts')
        .all() as Fact[]
    ).map((fact) => [fact.fact, fact]),
  );
  const ask = (columns: readonly string[], from: string): unknown[] => {
    const groups = columns.map((_, i) => i + 1).join(', ');
    return db
      .prepare(
        `SELECT ${columns.join(', ')}, count(*), ${CHARACTERS} FROM ${from} WHERE ${sql} GROUP BY ${groups}`,
      )
      .raw(true)
      .all(...values);
  };
  let [byFact, byDay]: [ByFact[], ByDay[]] = [[], []];
  if (filter.text === undefined) {
    byFact = ask(['fact', 'bucket'], 'call_records') as ByFact[];
    // The index by fact has neither the day nor the outcome, but both can be derived from it.
    const day = choosesFacts(filter) ? DAY_OF_FACT : ['day', 'failed'];
    byDay = ask([...day, 'bucket'], 'call_records') as ByDay[];
  } else {
    // No index contains the arguments, so the table is read once, in its own order.
    const both = ask(['fact', 'day', 'failed', 'bucket'], 'call_records NOT INDEXED') as ByBoth[];
    byFact = both.map(([fact, , , bucket, ...sums]) => [fact, bucket, ...sums]);
    byDay = both.map(([, ...ofDay]) => ofDay);
  }
  return statsOf(
    byFact.flatMap(([fact, bucket, calls, characters]) => {
      const known = facts.get(fact);
      if (!known) return [];
      const { server, tool, caller, client, outcome } = known;
      const failed = outcome !== null && isFailure(outcome);
      return [{ server, tool, caller: caller ?? client, failed, bucket, calls, characters }];
    }),
    byDay.map(([day, failed, bucket, calls, characters]) => {
      return { day, failed: failed === 1, bucket, calls, characters };
    }),
  );
}
