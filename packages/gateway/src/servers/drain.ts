/** Waits until calls under way have their answers: before a server is removed, or the gateway ends. */

import { setTimeout as sleep } from 'node:timers/promises';

/** The interval for checking. */
const LOOK_MS = 20;
/** The number of idle checks in a row after which it is over. */
const IDLE_LOOKS = 5;

export interface DrainOptions {
  /** How long the calls may take. */
  readonly limitMs: number;
  /** Ends the wait at once. */
  readonly signal?: AbortSignal;
  /** Called if calls are still under way at the limit, with their number in words. */
  readonly onLate: (calls: string) => void;
}

/** Polled: this is rare, so calls should not pay for it. */
export async function drained(
  work: { readonly callsUnderWay: number },
  { limitMs, signal, onLate }: DrainOptions,
): Promise<void> {
  const end = Date.now() + limitMs;
  // A new call may still be in the interceptors.
  for (let idle = 0; idle < IDLE_LOOKS; idle++) {
    if (signal?.aborted) return;
    const { callsUnderWay } = work;
    if (callsUnderWay > 0) idle = -1;
    if (Date.now() >= end) return onLate(callsUnderWay === 1 ? '1 call' : `${callsUnderWay} calls`);
    await sleep(LOOK_MS);
  }
}
