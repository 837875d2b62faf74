/** The calls of the last minutes in steps of about a second, for charts. It runs in every call. */

import { BOUNDS, bucketOf } from './tally.js';

/** The calls that ended in one step. */
export interface CallPoint {
  /** The end of the step, in seconds since 1970. */
  readonly at: number;
  readonly calls: number;
  readonly failed: number;
  /** Milliseconds without waiting for a person; `null` without a call. */
  readonly p50: number | null;
  readonly p95: number | null;
}

interface Step {
  readonly start: number;
  /** Missing while it grows. */
  end?: number;
  isSent: boolean;
  calls: number;
  failed: number;
  /** The number of calls in each bucket of `BOUNDS`, and those that took longer. */
  readonly buckets: number[];
}

export const KEPT_MS = 300_000;
const STEP_MS = 1_000;

/** `now` is `performance.now`, and `time` is `Date.now`. */
export class RecentCalls {
  readonly #now: () => number;
  readonly #time: () => number;
  /** Those that have calls, the oldest first. */
  readonly #steps: Step[] = [];

  constructor(now: () => number, time: () => number) {
    this.#now = now;
    this.#time = time;
  }

  /** A call has ended. `ms`: how long it took, without waiting for a person. */
  add(hasFailed: boolean, ms: number): void {
    const step = this.#growing();
    step.calls++;
    if (hasFailed) step.failed++;
    step.buckets[bucketOf(ms / 1000)]!++;
  }

  /** What was not sent yet. Without a call, one point that says so. */
  take(): CallPoint[] {
    const last = this.#steps.at(-1);
    if (last) last.end ??= this.#now();
    const fresh = this.#steps.filter(({ isSent }) => !isSent);
    for (const step of fresh) step.isSent = true;
    return fresh.length > 0 ? fresh.map((step) => this.#pointOf(step)) : [this.#silence()];
  }

  /** What was sent in the last minutes, up to now. */
  points(): CallPoint[] {
    this.#forget();
    const sent = this.#steps.filter(({ isSent }) => isSent);
    return [...sent.map((step) => this.#pointOf(step)), this.#silence()];
  }

  #growing(): Step {
    const now = this.#now();
    const last = this.#steps.at(-1);
    if (last && last.end === undefined) {
      if (now < last.start + STEP_MS) return last;
      last.end = last.start + STEP_MS;
    }
    this.#forget();
    const buckets = Array.from({ length: BOUNDS.length + 1 }, () => 0);
    const step = { start: now, isSent: false, calls: 0, failed: 0, buckets };
    this.#steps.push(step);
    return step;
  }

  #forget(): void {
    const oldest = this.#now() - KEPT_MS;
    while (this.#steps[0] && this.#steps[0].start < oldest) this.#steps.shift();
  }

  #silence(): CallPoint {
    return { at: this.#time() / 1000, calls: 0, failed: 0, p50: null, p95: null };
  }

  #pointOf({ end, calls, failed, buckets }: Step): CallPoint {
    const at = (this.#time() - (this.#now() - end!)) / 1000;
    return { at, calls, failed, p50: quantile(buckets, 0.5), p95: quantile(buckets, 0.95) };
  }
}

/** A call that ended before the gateway started. */
export interface EarlierCall {
  /** When it ended, in milliseconds since 1970. */
  readonly at: number;
  readonly hasFailed: boolean;
  /** Without waiting for a person. */
  readonly ms: number;
}

/** Calls in any order as points, the oldest first. */
export function pointsOf(calls: readonly EarlierCall[]): CallPoint[] {
  const bySecond = new Map<number, EarlierCall[]>();
  for (const call of calls) {
    const second = Math.ceil(call.at / STEP_MS);
    const others = bySecond.get(second);
    if (others) others.push(call);
    else bySecond.set(second, [call]);
  }
  return [...bySecond]
    .toSorted(([a], [b]) => a - b)
    .map(([at, all]) => {
      const buckets = Array.from({ length: BOUNDS.length + 1 }, () => 0);
      for (const { ms } of all) buckets[bucketOf(ms / 1000)]!++;
      const failed = all.filter(({ hasFailed }) => hasFailed).length;
      const [p50, p95] = [quantile(buckets, 0.5), quantile(buckets, 0.95)];
      return { at, calls: all.length, failed, p50, p95 };
    });
}

/** In milliseconds, interpolated within its bucket. */
function quantile(counts: readonly number[], part: number): number {
  let rest = part * counts.reduce((a, b) => a + b, 0);
  for (const [i, count] of counts.entries()) {
    if (rest > count || count === 0) {
      rest -= count;
      continue;
    }
    const from = BOUNDS[i - 1] ?? 0;
    const to = BOUNDS[i] ?? from;
    return 1000 * (from + (to - from) * (rest / count));
  }
  return 1000 * BOUNDS.at(-1)!;
}
