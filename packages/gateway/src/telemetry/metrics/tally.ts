/** Counts calls with the same labels. It runs in every call, so it avoids look-ups by text. */

import type { Outcome, Verdict } from '@callsign/core';

/**
 * Upper bounds, in seconds. The last bucket has none. The first three are ours; the others are those
 * of the conventions for MCP.
 */
export const BOUNDS: readonly number[] = [
  0.001, 0.0025, 0.005, 0.01, 0.02, 0.05, 0.1, 0.2, 0.5, 1, 2, 5, 10, 30, 60, 120, 300,
];

/** The labels of the calls. */
export interface TallyLabels {
  readonly server: string;
  readonly risk: string;
  /** `server:tool` if the operator asks for it, else empty. */
  readonly tool: string;
  /** Whose account the calls use, if the operator asks for it. */
  readonly account?: string;
}

/** The number of calls with the same decision and outcome. */
export interface Ended {
  readonly decision: Verdict['decision'] | 'none';
  readonly outcome: Outcome;
  readonly calls: number;
}

/** Durations of calls that ended in one way. */
export interface Durations {
  seconds: number;
  /** The number of calls in each bucket. The last bucket holds calls longer than all bounds. */
  readonly buckets: number[];
}

export class Tally {
  readonly labels: TallyLabels;
  /** Such as `tools/call`. */
  readonly method: string;
  inFlight = 0;
  /** From request to answer at the listener. */
  readonly durations: Map<Outcome, Durations> = new Map();
  /** From request to answer at the server. A call that is sent again has several. */
  readonly attempts: Map<Outcome, Durations> = new Map();
  readonly #ended = new Map<Ended['decision'], Map<Outcome, number>>();

  constructor(labels: TallyLabels, method: string) {
    this.labels = labels;
    this.method = method;
  }

  end(verdict: Verdict | undefined, outcome: Outcome, seconds: number): void {
    this.inFlight--;
    time(this.durations, outcome, seconds);
    const decision = verdict?.decision ?? 'none';
    let outcomes = this.#ended.get(decision);
    if (!outcomes) this.#ended.set(decision, (outcomes = new Map<Outcome, number>()));
    outcomes.set(outcome, (outcomes.get(outcome) ?? 0) + 1);
  }

  attempted(outcome: Outcome, seconds: number): void {
    time(this.attempts, outcome, seconds);
  }

  *ended(): Iterable<Ended> {
    for (const [decision, outcomes] of this.#ended) {
      for (const [outcome, calls] of outcomes) yield { decision, outcome, calls };
    }
  }
}

function time(all: Map<Outcome, Durations>, outcome: Outcome, seconds: number): void {
  let durations = all.get(outcome);
  if (!durations) {
    durations = { seconds: 0, buckets: Array.from({ length: BOUNDS.length + 1 }, () => 0) };
    all.set(outcome, durations);
  }
  durations.seconds += seconds;
  durations.buckets[bucketOf(seconds)]!++;
}

/** The number of the first bucket whose bound is not exceeded. */
export function bucketOf(seconds: number): number {
  let bucket = 0;
  while (bucket < BOUNDS.length && seconds > BOUNDS[bucket]!) bucket++;
  return bucket;
}
