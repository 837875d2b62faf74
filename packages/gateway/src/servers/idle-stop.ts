/** Puts a server to sleep that no client has used for some time. */

import type { Unsubscribe } from '@callsign/core';
import type { Upstream } from '@callsign/wire';

export interface IdleStopOptions {
  readonly upstream: Pick<Upstream, 'activity' | 'isBusy' | 'sleep' | 'state'>;
  /** Milliseconds; `undefined`: never. Asked each time, because settings may change. */
  readonly idleMs: () => number | undefined;
  /** Whether a subscription or a task needs the server although no call is under way. */
  readonly isNeeded: () => boolean;
}

/** How often it is looked at, as a part of the time, and in milliseconds. */
const LOOKS = 10;
const [SHORTEST_MS, LONGEST_MS] = [20, 60_000];

/** Looks from time to time, so that calls need no extra work. Ends with the returned function. */
export function stopWhenIdle({ upstream, idleMs, isNeeded }: IdleStopOptions): Unsubscribe {
  let seen = '';
  let since = Date.now();
  const look = (): void => {
    const limitMs = idleMs();
    const now = upstream.activity;
    const isUsed = upstream.state.is !== 'ready' || upstream.isBusy || now !== seen || isNeeded();
    if (isUsed) [seen, since] = [now, Date.now()];
    else if (limitMs !== undefined && Date.now() - since >= limitMs) upstream.sleep();
    timer = setTimeout(look, pauseFor(limitMs)).unref();
  };
  let timer = setTimeout(look, SHORTEST_MS).unref();
  return () => clearTimeout(timer);
}

function pauseFor(limitMs: number | undefined): number {
  if (limitMs === undefined) return LONGEST_MS;
  return Math.min(Math.max(limitMs / LOOKS, SHORTEST_MS), LONGEST_MS);
}
