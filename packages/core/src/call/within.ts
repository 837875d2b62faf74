/** A time limit for an answer that may never come. */

import type { Clock } from './clock.js';

/** Rejects after `ms` milliseconds if there is no answer yet. The question itself is not taken back. */
export function within<T>(clock: Clock, ms: number, answer: Promise<T>): Promise<T> {
  return new Promise((resolve, reject) => {
    const cancel = clock.after(ms, () => reject(new Error(`no answer within ${ms} ms`)));
    answer.then(resolve, reject).finally(cancel);
  });
}
