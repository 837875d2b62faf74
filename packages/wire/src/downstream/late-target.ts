/**
 * A call to an unknown name while servers start. The name is looked up after each change of the
 * lists, so that a call waits for its own server and not for the slowest one.
 */

import type { Call, Source } from '@callsign/core';

import { routeOf, type Prepared, type Surface } from './surface.js';

export interface LateTarget {
  readonly surface: Pick<Surface, 'isSettled' | 'whenSettled'>;
  /** The view of the caller. It may change while the call waits. */
  readonly view: () => Source;
  /** Looks the name up again. */
  readonly prepare: () => Prepared;
  /** False: the call was cancelled. */
  readonly isWanted: () => boolean;
}

/**
 * Resolves when the name is known or all servers have started or failed. `undefined`: cancelled.
 */
export async function foundLater(unknown: Call, target: LateTarget): Promise<Prepared | undefined> {
  const { surface, view, prepare, isWanted } = target;
  // A server may start again later, so the first time that all had settled counts.
  const wait = { isOver: surface.isSettled() };
  const settled = (async () => {
    await surface.whenSettled();
    wait.isOver = true;
  })();
  while (!wait.isOver && isWanted() && !routeOf(unknown, view())) await nextChange(view(), settled);
  return isWanted() ? prepare() : undefined;
}

/** Resolves after a change of the lists, or with `settled`. */
function nextChange(view: Source, settled: Promise<void>): Promise<void> {
  return new Promise((resolve) => {
    const stop = view.subscribe((event) => {
      // In the next turn, so that all changes of this turn are in the lists.
      if (event.type === 'changed') setImmediate(end);
    });
    const end = (): void => {
      stop();
      resolve();
    };
    void settled.then(end);
  });
}
