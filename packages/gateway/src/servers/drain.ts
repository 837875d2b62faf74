/** Waits until a removed server has finished its calls. */

import { setTimeout as sleep } from 'node:timers/promises';

import type { Log } from '@callsign/core';
import type { Upstream } from '@callsign/wire';

/** The interval for checking a removed server. */
const LOOK_MS = 20;
/** The number of idle checks in a row after which it is ended. */
const IDLE_LOOKS = 5;

export interface DrainOptions {
  /** How long the calls may take. */
  readonly limitMs: number;
  /** Ends the wait at once. */
  readonly signal: AbortSignal;
  readonly log: Log;
}

/** Polled: removals are rare, so calls should not pay for them. */
export async function drained(
  upstream: Upstream,
  { limitMs, signal, log }: DrainOptions,
): Promise<void> {
  const end = Date.now() + limitMs;
  // A new call may still be in the interceptors.
  for (let idle = 0; idle < IDLE_LOOKS && !signal.aborted; idle++) {
    if (upstream.callsUnderWay > 0) idle = -1;
    if (Date.now() >= end) {
      const calls = upstream.callsUnderWay === 1 ? '1 call' : `${upstream.callsUnderWay} calls`;
      return log(
        'warning',
        `[${upstream.key}] ${calls} took longer than it could wait; it leaves.`,
      );
    }
    await sleep(LOOK_MS);
  }
}
