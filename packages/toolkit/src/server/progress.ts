/** Progress of one call: sent only if the client asked, never backwards, and at a limited rate. */

import { setImmediate as nextTurn } from 'node:timers/promises';

import type { SdkRequest } from './sdk-request.js';

/**
 * Reports progress: steps done, steps in all, and a text about the current one. Sends nothing if the client did
 * not ask. It never fails. Await it, so that a cancellation is noticed before the next step.
 */
export type ReportProgress = (done: number, total?: number, message?: string) => Promise<void>;

/** One report, as an object. `description` is another word for `message`. */
export interface ProgressStep {
  readonly progress: number;
  readonly total?: number | undefined;
  readonly message?: string | undefined;
  readonly description?: string | undefined;
}

export interface Progress {
  readonly report: ReportProgress;
  /** Sends the last report if it still waits, and stops: clients ignore reports after the answer. */
  close(): Promise<void>;
}

interface Step {
  readonly progress: number;
  readonly total: number | undefined;
  readonly message: string | undefined;
}

/** The first reports are sent at once; after that only the newest one per interval. */
const BURST = 32;
const INTERVAL_MS = 100;

export function createProgress({ progressToken, notify }: SdkRequest): Progress {
  let isOpen = progressToken !== undefined;
  let furthest = -Infinity;
  let waiting: Step | undefined;
  let timer: NodeJS.Timeout | undefined;
  let left = BURST;
  let refilled = performance.now();

  function refill(): void {
    const earned = Math.floor((performance.now() - refilled) / INTERVAL_MS);
    left = Math.min(BURST, left + earned);
    refilled += earned * INTERVAL_MS;
  }

  async function send(): Promise<void> {
    if (waiting === undefined) return;
    const params = { progressToken, ...waiting };
    waiting = undefined;
    left -= 1;
    try {
      await notify({ method: 'notifications/progress', params });
    } catch {
      // The client has disconnected. That is not a failure of the tool.
    }
  }

  async function sendOrWait(): Promise<void> {
    timer = undefined;
    refill();
    if (left > 0) await send();
    else timer = setTimeout(sendOrWait, INTERVAL_MS).unref();
  }

  return {
    async report(done, total, message) {
      if (isOpen && Number.isFinite(done) && done > furthest) {
        furthest = done;
        waiting = { progress: done, total, message };
        if (timer === undefined) await sendOrWait();
      }
      await nextTurn();
    },
    async close() {
      isOpen = false;
      clearTimeout(timer);
      await send();
    },
  };
}
