/** Runs work that the user may interrupt with Ctrl-C. */

import { setImmediate as nextTurn } from 'node:timers/promises';

import { EndSignal } from './end-signal.js';
import { interruption } from './failure.js';

/**
 * The signal tells the work to end. `cleanUp` always runs; a second Ctrl-C does not wait for it.
 */
export async function interruptible<T>(
  work: (signal: AbortSignal) => Promise<T>,
  cleanUp: () => Promise<void> | void = () => undefined,
): Promise<T> {
  const signals = new EndSignal();
  const interrupted = signals.asked.then(() => {
    throw interruption();
  });
  try {
    return await Promise.race([work(signals.signal), interrupted]);
  } finally {
    // A cancelled call is reported to its server in the next turn of the event loop.
    if (signals.signal.aborted) await nextTurn();
    await cleanUp();
    signals.release();
  }
}
