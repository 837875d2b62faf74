/** A clock that a test controls. */

import type { Clock } from '../call/clock.js';

/** A clock that stands still until a test moves it. */
export interface FakeClock extends Clock {
  /** Advances the time and runs timers in order. Promises settle in between. */
  pass(ms: number): Promise<void>;
}

/** Starts at 0. Time passes only in `pass`. */
export function fakeClock(): FakeClock {
  let now = 0;
  let alarms: { readonly at: number; readonly run: () => void }[] = [];
  return {
    now: () => now,
    after(ms, run) {
      const alarm = { at: now + ms, run };
      alarms.push(alarm);
      return () => {
        alarms = alarms.filter((other) => other !== alarm);
      };
    },
    async pass(ms) {
      const end = now + ms;
      await settle();
      for (;;) {
        const next = alarms.filter(({ at }) => at <= end).toSorted((a, b) => a.at - b.at)[0];
        if (!next) break;
        alarms = alarms.filter((other) => other !== next);
        now = next.at;
        next.run();
        await settle();
      }
      now = end;
    },
  };
}

/** Lets every promise that can settle do so. */
async function settle(): Promise<void> {
  for (let turn = 0; turn < 20; turn++) await Promise.resolve();
}
