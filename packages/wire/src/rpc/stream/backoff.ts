/** The delay before a server is started again: longer each time, with a random part. */

/** Milliseconds, and the number of attempts. */
export interface RestartPolicy {
  readonly initialMs: number;
  readonly maxMs: number;
  /** How many starts in a row may fail before the server is given up. */
  readonly giveUpAfter: number;
}

/** For servers whose configuration says nothing. */
export const DEFAULT_RESTART: RestartPolicy = { initialMs: 500, maxMs: 30_000, giveUpAfter: 8 };

/** Milliseconds, between half and all of a delay that doubles each time. `failures` from 1. */
export function restartDelay(
  failures: number,
  { initialMs, maxMs }: RestartPolicy,
  random: () => number = Math.random,
): number {
  const full = Math.min(maxMs, initialMs * 2 ** (failures - 1));
  return Math.round(full * (0.5 + random() / 2));
}

/** After a server has run this long, its next failure counts as the first one. */
const LONG_LIFE_MS = 60_000;

/** Counts failures in a row. */
export class Failures {
  #count = 0;
  #readySince = Infinity;

  /** The server is ready. */
  ready(): void {
    this.#readySince = Date.now();
  }

  forget(): void {
    this.#count = 0;
  }

  /** Counts a failure. Returns the delay before the next start; `undefined`: given up. */
  next(policy: RestartPolicy): number | undefined {
    if (Date.now() - this.#readySince > LONG_LIFE_MS) this.#count = 0;
    this.#readySince = Infinity;
    this.#count++;
    return this.#count >= policy.giveUpAfter ? undefined : restartDelay(this.#count, policy);
  }
}
