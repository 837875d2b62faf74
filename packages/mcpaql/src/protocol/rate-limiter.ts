/**
 * Limits how often an adapter is called. It counts exactly, so a refusal can name the time to wait.
 */

import type { Operation } from '../adapter/adapter.js';
import type { RateLimitDocument, RateWindow } from '../adapter/adapter-document.js';
import { ProtocolError } from './protocol-error.js';

const WINDOW_MS: Readonly<Record<RateWindow, number>> = {
  second: 1000,
  minute: 60_000,
  hour: 3_600_000,
  day: 86_400_000,
};

interface Counter {
  readonly rule: RateLimitDocument;
  /** The time of each call in the last window. Those before `head` have expired. */
  readonly calls: number[];
  head: number;
}

export interface RateLimiterOptions {
  readonly now?: () => number;
}

export class RateLimiter {
  readonly #counters: readonly Counter[];
  readonly #now: () => number;
  #pausedUntil = 0;

  constructor(rules: readonly RateLimitDocument[], { now = Date.now }: RateLimiterOptions = {}) {
    this.#counters = rules.map((rule) => ({ rule, calls: [], head: 0 }));
    this.#now = now;
  }

  /** Counts a call, or throws and counts nothing. */
  take(operation: Operation): void {
    const now = this.#now();
    if (this.#pausedUntil > now) throw exceeded(this.#pausedUntil - now, now);
    const counters = this.#counters.filter(({ rule }) => covers(rule, operation));
    for (const counter of counters) {
      const { rule, calls } = counter;
      const window = WINDOW_MS[rule.window];
      while (counter.head < calls.length && calls[counter.head]! <= now - window) counter.head++;
      if (calls.length - counter.head < rule.limit) continue;
      throw exceeded(calls[counter.head]! + window - now, now, rule);
    }
    for (const counter of counters) {
      counter.calls.push(now);
      // Removed in blocks, so that each call costs constant time.
      if (counter.head <= counter.rule.limit) continue;
      counter.calls.splice(0, counter.head);
      counter.head = 0;
    }
  }

  /** The target asked for a pause. Nothing is sent until it is over. */
  pause(milliseconds: number): void {
    this.#pausedUntil = Math.max(this.#pausedUntil, this.#now() + milliseconds);
  }
}

function covers({ scope, endpoint, operation }: RateLimitDocument, called: Operation): boolean {
  if (scope === 'global') return true;
  return scope === 'endpoint' ? endpoint === called.endpoint : operation === called.name;
}

/** Whole seconds, rounded up, so that a call after them is accepted. */
export function exceeded(waitMs: number, now: number, rule?: RateLimitDocument): ProtocolError {
  const retry_after_seconds = Math.max(1, Math.ceil(waitMs / 1000));
  const resets_at = new Date(now + retry_after_seconds * 1000).toISOString();
  const whose = rule
    ? `${rule.limit} calls per ${rule.window} are used up`
    : 'The target asks to wait';
  const limit = rule ? { limit: rule.limit, remaining: 0, window: rule.window } : {};
  return new ProtocolError(
    'RATE_LIMIT_EXCEEDED',
    `${whose}. Call again in ${retry_after_seconds} s.`,
    { ...limit, resets_at, retry_after_seconds },
  );
}
