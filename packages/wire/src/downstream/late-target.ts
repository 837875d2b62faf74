/**
 * A call to an unknown name while servers start. The name is looked up again after each change of the lists, so
 * that a call waits for its own server and not for the slowest one.
 */

import type { Call, Source } from '@callsign/core';

import { routeOf, type Prepared, type Surface } from './surface.js';

export interface LateTarget {
  readonly surface: Pick<Surface, 'isSettled' | 'whenSettled'>;
  /** The view of the caller. It may change while the call waits. */
  readonly view: () => Source;
  /** Prepares the call again. */
  readonly prepare: () => Prepared;
  /** Whether the call still waits; false after it was cancelled. */
  readonly isWanted: () => boolean;
}

/** Resolves when the name is known, or when every server has started or failed; `undefined` if cancelled. */
export async function foundLater(unknown: Call, target: LateTarget): Promise<Prepared | undefined> {
  const { surface, view, prepare, isWanted } = target;
  let isDone = surface.isSettled();
  const settled = surface.whenSettled().then(() => {
    isDone = true;
  });
  while (!isDone && isWanted() && !routeOf(unknown, view())) await nextChange(view(), settled);
  return isWanted() ? prepare() : undefined;
}

/** Resolves after a change of the lists, or with `settled`. */
function nextChange(view: Source, settled: Promise<void>): Promise<void> {
  return new Promise((resolve) => {
    const stop = view.subscribe((event) => {
      // All changes of this turn are in place in the next one.
      if (event.type === 'changed') setImmediate(end);
    });
    const end = (): void => {
      stop();
      resolve();
    };
    void settled.then(end);
  });
}
