/** Calls over time in SQL: one group for each step that has calls. */

import type { AuditFilter } from './audit-filter.js';
import type { StatsGroup, TimelineStep } from './audit-store.js';
import { callCondition } from './sqlite-filter.js';
import type { Connection } from './sqlite-schema.js';

/** How much of a time names a step. */
const LENGTHS: Readonly<Record<TimelineStep, number>> = {
  day: '2026-11-15'.length,
  hour: '2026-11-15T09'.length,
  minute: '2026-11-15T09:30'.length,
};

export function sqliteTimeline(
  db: Connection,
  filter: AuditFilter,
  step: TimelineStep,
): readonly StatsGroup[] {
  const { sql, values } = callCondition(filter);
  const name = `substr(time, 1, ${LENGTHS[step]})`;
  const rows = db
    .prepare(
      `SELECT ${name} AS name, count(*) AS calls, sum(failed) AS errors FROM call_records
        WHERE ${sql} GROUP BY ${name} ORDER BY ${name}`,
    )
    .all(...values);
  return rows as StatsGroup[];
}
