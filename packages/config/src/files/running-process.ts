/** Whether a process that wrote a file still runs. */

import { hostname, uptime } from 'node:os';

/** A process as it names itself in its files. */
export interface ProcessMark {
  readonly pid: number;
  readonly host: string;
  /** When it wrote the mark, or when it started. ISO 8601. */
  readonly time: string;
}

const DAY_MS = 24 * 60 * 60 * 1000;
const CLOCK_SLACK_MS = 5_000;

/** False only if the process has certainly ended, or is silent for a day on another machine. */
export function mayRun({ pid, host, time }: ProcessMark): boolean {
  // Processes on other machines cannot be seen, so the age of the mark must decide.
  if (host !== hostname()) return Date.now() - Date.parse(time) < DAY_MS;
  // In a container, different processes may have the same id.
  if (pid === process.pid) return Date.parse(time) >= performance.timeOrigin - CLOCK_SLACK_MS;
  try {
    process.kill(pid, 0);
    return !hasRestartedSince(time);
  } catch (error) {
    return (error as NodeJS.ErrnoException).code === 'EPERM' && !hasRestartedSince(time);
  }
}

/** Whether this machine was started after a time. */
export function hasRestartedSince(time: string, uptimeSeconds: number = uptime()): boolean {
  return Date.now() - uptimeSeconds * 1000 > Date.parse(time) + CLOCK_SLACK_MS;
}
