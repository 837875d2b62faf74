/** The clock of this machine, for tests against real processes. */

import type { Clock } from '@callsign/core';

export const REAL_CLOCK: Clock = {
  now: () => performance.now(),
  after(ms, run) {
    const timer = setTimeout(run, ms);
    return () => clearTimeout(timer);
  },
};
