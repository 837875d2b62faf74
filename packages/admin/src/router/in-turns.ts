/** Handles thousands of items in several turns of the event loop, so that calls do not wait. */

import { setImmediate } from 'node:timers/promises';

/** How long one turn may block the event loop. */
const TURN_MS = 5;

export async function inTurns<T>(things: Iterable<T>, work: (thing: T) => void): Promise<void> {
  // A copy, because the items may change between two turns.
  const all = Array.from(things);
  let begun = performance.now();
  for (const thing of all) {
    work(thing);
    if (performance.now() - begun < TURN_MS) continue;
    await setImmediate();
    begun = performance.now();
  }
}
