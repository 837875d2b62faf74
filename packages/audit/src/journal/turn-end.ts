/** One write at the end of an event-loop turn, for all who wait. Their calls are sent in the same turn. */

import { beforeSending } from '@callsign/rpc/turn-end';

import type { Synced } from './shared-sync.js';

export class TurnEnd {
  readonly #write: (written: Synced) => void;
  #isScheduled = false;
  #waiting: Synced[] = [];

  /** `write` calls back when it is done. */
  constructor(write: (written: Synced) => void) {
    this.#write = write;
  }

  /** Calls back after the write at the end of this turn. */
  wait(done: Synced): void {
    this.#waiting.push(done);
    this.schedule();
  }

  schedule(): void {
    if (this.#isScheduled) return;
    this.#isScheduled = true;
    beforeSending(this.#run);
  }

  readonly #run = (): void => {
    // Before the write: entries that come after it need another one.
    this.#isScheduled = false;
    const waiting = this.#waiting;
    this.#waiting = [];
    this.#write((trouble) => {
      for (const done of waiting) done(trouble);
    });
  };
}
