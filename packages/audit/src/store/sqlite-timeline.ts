/** Calls over time in SQL: one group for each step that has calls. */

import { type AuditFilter, periodOf } from './audit-filter.js';
import type { StatsGroup, TimelineStep } from './audit-store.js';
import { callCondition, IS_FAILED } from './sqlite-filter.js';
import type { Connection } from './sqlite-schema.js';

/** How many characters of a time name a step. */
const LENGTHS: Readonly<Record<TimelineStep, number>> = {
  day: '2026-11-15'.length,
  hour: '2026-11-15T09'.length,
  minute: '2026-11-15T09:30'.length,
};

const BY_TIME = 'call_records INDEXED BY call_records_by_time';

/**
 * Each query counts one step and finds the next. Together they read the index by time once and sort
 * nothing.
 */
export function sqliteTimeline(
  db: Connection,
  filter: AuditFilter,
  step: TimelineStep,
): readonly StatsGroup[] {
  const { sql, values } = callCondition(filter);
  const next = db.prepare(`SELECT min(time) FROM ${BY_TIME} WHERE time >= ? AND ${sql}`).raw(true);
  const count = db
    .prepare(
      `SELECT count(*), total(${IS_FAILED}) FROM ${BY_TIME} WHERE time >= ? AND time < ? AND ${sql}`,
    )
    .raw(true);
  const groups: StatsGroup[] = [];
  for (let from = periodOf(filter).since ?? ''; ;) {
    const [time] = next.get(from, ...values) as [string | null];
    if (time === null) return groups;
    const name = time.slice(0, LENGTHS[step]);
    // Sorts after every time that begins with the name.
    from = `${name}~`;
    const [calls, errors] = count.get(name, from, ...values) as [number, number];
    groups.push({ name, calls, errors });
  }
}
