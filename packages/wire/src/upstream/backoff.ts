/** How long to wait before starting a server again: longer each time, never in step with others. */

export interface RestartPolicy {
  readonly initialMs: number;
  readonly maxMs: number;
  /** Starts in a row that may fail before the server is given up. */
  readonly giveUpAfter: number;
}

export const DEFAULT_RESTART: RestartPolicy = { initialMs: 500, maxMs: 30_000, giveUpAfter: 8 };

/** Between half and all of the doubled time, by chance. `failures` counts from 1. */
export function restartDelay(
  failures: number,
  { initialMs, maxMs }: RestartPolicy,
  random: () => number = Math.random,
): number {
  const full = Math.min(maxMs, initialMs * 2 ** (failures - 1));
  return Math.round(full * (0.5 + random() / 2));
}
