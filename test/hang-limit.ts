/**
 * For tests of algorithms that must stay linear. They do not measure time: the input is so large
 * that a linear algorithm ends at once, while any other runs for minutes.
 */

import { runInThisContext } from 'node:vm';

const HANG_MS = 100_000;
const SLOT = '__callsignWork';

/** Runs synchronous work. Stops it with an error if it hangs, even inside a regular expression. */
export function withoutHanging<T>(work: () => T, limitMs: number = HANG_MS): T {
  const slots = globalThis as Record<string, unknown>;
  slots[SLOT] = work;
  try {
    return runInThisContext(`${SLOT}()`, { timeout: limitMs }) as T;
  } finally {
    delete slots[SLOT];
  }
}
