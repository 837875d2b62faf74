/**
 * A clock that is passed in, so that this package reads no time itself and tests can control it. And a time limit on it.
 */

/** The gateway passes the system's clock. Tests pass one that they advance themselves. */
export interface Clock {
  /** Milliseconds since a fixed moment. Never goes back. For durations: it is not the time of day. */
  now(): number;
  /** Runs something later. Returns a function that cancels it. */
  after(ms: number, run: () => void): () => void;
}

/** A time limit for an answer that may never come: rejects after `ms`. The question itself is not taken back. */
export function within<T>(clock: Clock, ms: number, answer: Promise<T>): Promise<T> {
  return new Promise((resolve, reject) => {
    const cancel = clock.after(ms, () => reject(new Error(`no answer within ${ms} ms`)));
    answer.then(resolve, reject).finally(cancel);
  });
}
