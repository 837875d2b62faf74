/** Days in UTC. Each has its own partitions, and a call belongs to the day of its time. */

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
