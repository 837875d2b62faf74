/** When a read is tried again, and after how long. Decides only; the waiting is done elsewhere. */

import { LightdashError, type LightdashErrorKind } from './lightdash-error.js';

export interface RetryPolicy {
  /** How often a read is tried again. */
  readonly retries: number;
  /** The first pause; each further one is twice as long. */
  readonly firstPauseMs: number;
  /** A server that asks for a longer pause than this is told to the caller instead. */
  readonly longestPauseMs: number;
}

export const RETRY_POLICY: RetryPolicy = {
  retries: 3,
  firstPauseMs: 500,
  longestPauseMs: 30_000,
};

/** What may be gone the next time. Who waited until the time limit has waited long enough. */
const PASSING: readonly LightdashErrorKind[] = [
  'rate-limited',
  'server',
  'unreachable',
  'malformed',
];

/** How long to wait before the next try; nothing when there is to be none. */
export function pauseBeforeRetry(
  error: unknown,
  attempt: number,
  { retries, firstPauseMs, longestPauseMs }: RetryPolicy,
  random: () => number = Math.random,
): number | undefined {
  if (!(error instanceof LightdashError) || !PASSING.includes(error.kind)) return undefined;
  if (attempt >= retries) return undefined;
  const asked = error.retryAfterMs;
  if (asked !== undefined) return asked > longestPauseMs ? undefined : asked;
  // Many clients that failed together shall not come back together.
  return Math.min(firstPauseMs * 2 ** attempt, longestPauseMs) * (0.5 + random() / 2);
}
