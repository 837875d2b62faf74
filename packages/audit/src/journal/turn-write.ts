/** One write at the end of an event-loop turn. */

import { afterSending, beforeSending } from '@callsign/wire/rpc/turn-end';

import type { Synced } from './shared-sync.js';

export class TurnWrite {
  readonly #write: (written: Synced) => void;
  readonly #flush: () => void;
  #waiting: Synced[] = [];
  #isScheduled = false;

  /** `write` calls back when it is done. `flush` writes what no call waits for. */
  constructor(write: (written: Synced) => void, flush: () => void) {
    this.#write = write;
    this.#flush = flush;
  }

  /** Calls back after a write at the end of this turn. Calls that wait for it are sent in this turn. */
  wait(done: Synced): void {
    if (this.#waiting.push(done) === 1) beforeSending(this.#run);
  }

  /** Writes at the end of this turn, after everything is sent. */
  schedule(): void {
    if (this.#isScheduled) return;
    this.#isScheduled = true;
    afterSending(this.#runLast);
  }

  readonly #run = (): void => {
    // Before the write: entries that come after it need another one.
    const waiting = this.#waiting;
    this.#waiting = [];
    this.#write((trouble) => {
      for (const done of waiting) done(trouble);
    });
  };

  readonly #runLast = (): void => {
    this.#isScheduled = false;
    this.#flush();
  };
}
