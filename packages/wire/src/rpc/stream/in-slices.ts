/** Runs long work in slices, so that other work does not have to wait for all of it. */

import { setImmediate as nextTurn } from 'node:timers/promises';

import type { Slices } from '@callsign/core';

/** How long slices may run in one turn of the event loop. */
const TURN_MS = 2;

/** Runs the work to its end and returns its result. */
export async function inSlices<T>(work: Slices<T>): Promise<T> {
  let until = performance.now() + TURN_MS;
  for (;;) {
    const step = work.next();
    if (step.done) return step.value;
    if (performance.now() < until) continue;
    await nextTurn();
    until = performance.now() + TURN_MS;
  }
}
