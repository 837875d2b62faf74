/** One `fdatasync` for all who wait. Those who come while one is running share the next. */

import { auditTrouble } from '../record/trouble.js';

/** `trouble`: why it failed. `undefined`: the data is on disk. */
export type Synced = (trouble: string | undefined) => void;

export class SharedSync {
  readonly #sync: (done: (error: Error | null) => void) => void;
  readonly #fail: (trouble: string) => void;
  #isRunning = false;
  #next: Synced[] = [];

  constructor(
    sync: (done: (error: Error | null) => void) => void,
    fail: (trouble: string) => void,
  ) {
    this.#sync = sync;
    this.#fail = fail;
  }

  /** Calls back when everything that was written before is on disk. */
  run(done: Synced): void {
    this.#next.push(done);
    if (!this.#isRunning) this.#start();
  }

  #start(): void {
    const waiting = this.#next;
    this.#next = [];
    this.#isRunning = true;
    this.#sync((error) => {
      this.#isRunning = false;
      const trouble = error ? auditTrouble(error).message : undefined;
      if (trouble !== undefined) this.#fail(trouble);
      for (const tell of waiting) tell(trouble);
      if (this.#next.length > 0) this.#start();
    });
  }
}
