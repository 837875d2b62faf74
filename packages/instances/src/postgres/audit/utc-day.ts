/** Days in UTC. Each has its own partitions, and a call belongs to the day of its time. */

import type { Database, Statements } from '../database/database.js';

const DAY_LENGTH = '2026-11-15'.length;
const DAY_MS = 24 * 60 * 60_000;

/** The day of a time in ISO form. */
export function utcDay(time: string): string {
  return time.slice(0, DAY_LENGTH);
}

/** The day that is so many days later. */
export function laterDay(day: string, days: number): string {
  return utcDay(new Date(Date.parse(day) + days * DAY_MS).toISOString());
}

/** The days that have partitions, in order. */
export async function partitionDays(database: Database, statements: Statements): Promise<string[]> {
  const rows = await statements.query<{ day: string }>(
    `select substring(relname from '[0-9]{8}$') as day from pg_class
     where relnamespace = $1::text::regnamespace and relispartition and relkind = 'r'
       and relname like 'journal\\_lines\\_%' order by 1`,
    [`"${database.schema}"`],
  );
  return rows.map(({ day }) => day.replace(/(\d{4})(\d{2})(\d{2})/, '$1-$2-$3'));
}
