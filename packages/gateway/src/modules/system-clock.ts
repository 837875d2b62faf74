/** The clock of this machine. */

import type { Clock } from '@callsign/core';

export const SYSTEM_CLOCK: Clock = {
  now: () => performance.now(),
  after(ms, run) {
    const timer = setTimeout(run, ms);
    // Whoever waits is a client, and a client keeps us by its connection.
    timer.unref();
    return () => clearTimeout(timer);
  },
};
