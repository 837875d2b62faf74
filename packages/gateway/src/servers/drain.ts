/** Waits until running calls have their answers, before a server is removed or the gateway ends. */

import { setTimeout as sleep } from 'node:timers/promises';

/** How often running calls are counted. */
const LOOK_MS = 20;
/** The wait ends after this many idle checks in a row. */
const IDLE_LOOKS = 5;

export interface DrainOptions {
  /** How long the calls may take. */
  readonly limitMs: number;
  /** Ends the wait at once. */
  readonly signal?: AbortSignal;
  /** Called with the number of running calls, in words, if some are left at the limit. */
  readonly onLate: (calls: string) => void;
}

/** Polls, so that calls need no extra work for this rare case. */
export async function drained(
  work: { readonly callsUnderWay: number },
  { limitMs, signal, onLate }: DrainOptions,
): Promise<void> {
  const end = Date.now() + limitMs;
  // One idle check is not enough: a new call may still be in the interceptors and is not counted
  // yet.
  for (let idle = 0; idle < IDLE_LOOKS; idle++) {
    if (signal?.aborted) return;
    const { callsUnderWay } = work;
    if (callsUnderWay > 0) idle = -1;
    if (Date.now() >= end) return onLate(callsUnderWay === 1 ? '1 call' : `${callsUnderWay} calls`);
    await sleep(LOOK_MS);
  }
}
