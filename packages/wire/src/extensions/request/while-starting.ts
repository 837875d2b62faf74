/** What is not known yet may belong to a server that is still starting. */

import type { Source } from '@callsign/core';

/** The start of all servers. */
export interface Starting {
  /** Whether every server has started or failed. */
  readonly isSettled: () => boolean;
  /** Resolves when every server has started or failed. */
  readonly whenSettled: () => Promise<void>;
}

/**
 * Looks again after each change of the lists, so that a caller waits for its own server and not for
 * the slowest one. `undefined`: nothing was found, and every server has started or failed.
 */
export async function foundWhileStarting<T>(
  view: () => Source,
  { isSettled, whenSettled }: Starting,
  find: () => T | undefined,
): Promise<T | undefined> {
  // A server may start again later, so the first time that all had settled counts.
  const wait = { isOver: isSettled() };
  let found = find();
  if (wait.isOver || found !== undefined) return found;
  const settled = (async () => {
    await whenSettled();
    wait.isOver = true;
  })();
  while (!wait.isOver && found === undefined) {
    await nextChange(view(), settled);
    found = find();
  }
  return found;
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
