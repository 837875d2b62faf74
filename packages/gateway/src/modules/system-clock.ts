/** The clock of this machine. */

// Not the global: it is a getter, which takes longer than the clock itself.
import { performance } from 'node:perf_hooks';

import type { Clock } from '@callsign/core';

/** Node runs a timer with a longer time at once. */
const LONGEST_MS = 2 ** 31 - 1;

/** `now` is monotonic: it has no relation to the date, and does not jump with it. */
export const SYSTEM_CLOCK: Clock = {
  now: () => performance.now(),
  after(ms, run) {
    const timer = setTimeout(run, Math.min(ms, LONGEST_MS));
    // Timers do not keep the process running: the client's connection does.
    timer.unref();
    return () => clearTimeout(timer);
  },
};
