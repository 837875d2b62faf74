/** Handles thousands of items in several turns of the event loop, so that calls do not wait. */

import { inSlices } from '@callsign/wire/rpc';

export async function inTurns<T>(things: Iterable<T>, work: (thing: T) => void): Promise<void> {
  await inSlices(eachOf(things, work));
}

function* eachOf<T>(things: Iterable<T>, work: (thing: T) => void): Generator<undefined, void> {
  // A copy, because the items may change between two turns.
  for (const thing of Array.from(things)) {
    work(thing);
    yield;
  }
}
