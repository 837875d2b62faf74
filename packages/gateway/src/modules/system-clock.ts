/** The clock of this machine. */

import type { Clock } from '@callsign/core';

/** `now` is monotonic: it has no relation to the date, and does not jump with it. */
export const SYSTEM_CLOCK: Clock = {
  now: () => performance.now(),
  after(ms, run) {
    const timer = setTimeout(run, ms);
    // Timers do not keep the process running: the client's connection does.
    timer.unref();
    return () => clearTimeout(timer);
  },
};
