/** Decides whether a read is retried, and after how long. It does not wait itself. */

import { LightdashError, type LightdashErrorKind } from './lightdash-error.js';

/** Times are in milliseconds. */
export interface RetryPolicy {
  /** How often a read is retried. */
  readonly retries: number;
  /** The first pause. Each further one is twice as long. */
  readonly firstPauseMs: number;
  /** If a server asks for a longer pause, the caller gets the error instead. */
  readonly longestPauseMs: number;
}

export const RETRY_POLICY: RetryPolicy = {
  retries: 3,
  firstPauseMs: 500,
  longestPauseMs: 30_000,
};

/** Errors that may be temporary. A timeout is not among them: the caller has waited long enough. */
const PASSING: readonly LightdashErrorKind[] = [
  'rate-limited',
  'server',
  'unreachable',
  'malformed',
];

/** How long to wait before the next try. `undefined`: no retry. */
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
  // Random, so that clients which failed together do not retry together.
  return Math.min(firstPauseMs * 2 ** attempt, longestPauseMs) * (0.5 + random() / 2);
}
