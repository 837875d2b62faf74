/** A time limit for questions to the storage, which may accept a question and never answer it. */

import type { Clock } from '@callsign/core';

/** Rejects after `ms` milliseconds if there is no answer yet. The question itself is not taken back. */
export function within<T>(clock: Clock, ms: number, answer: Promise<T>): Promise<T> {
  return new Promise((resolve, reject) => {
    const cancel = clock.after(ms, () => reject(new Error(`no answer within ${ms} ms`)));
    answer.then(resolve, reject).finally(cancel);
  });
}
