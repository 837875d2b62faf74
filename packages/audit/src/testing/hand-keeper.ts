/** A keeper with a test behind it: it sees each batch, and says what becomes of it. */

import { setImmediate as heard } from 'node:timers/promises';

import type { AuditEntry } from '../record/audit-entry.js';
import { type Batch, eachEntry } from '../store/batch.js';
import type { Keeper } from '../journal/keeper.js';

export interface Trip {
  readonly entries: readonly AuditEntry[];
  /** Resolves when the journal has heard of it. */
  kept(): Promise<void>;
  failed(reason: string): Promise<void>;
}

export class HandKeeper implements Keeper {
  /** What was kept, in order. */
  readonly entries: AuditEntry[] = [];
  readonly #trips: Trip[] = [];
  readonly #waiting: ((trip: Trip) => void)[] = [];

  keep(batch: Batch): Promise<void> {
    return new Promise((resolve, reject) => {
      const entries: AuditEntry[] = [];
      eachEntry(batch, (entry) => entries.push(entry));
      const trip: Trip = {
        entries,
        kept: () => {
          this.entries.push(...entries);
          resolve();
          return heard();
        },
        failed: (reason) => {
          reject(new Error(reason));
          return heard();
        },
      };
      const taker = this.#waiting.shift();
      if (taker) taker(trip);
      else this.#trips.push(trip);
    });
  }

  close(): Promise<void> {
    return Promise.resolve();
  }

  /** The next batch, as soon as it is there. */
  next(): Promise<Trip> {
    const trip = this.#trips.shift();
    return trip ? Promise.resolve(trip) : new Promise((take) => this.#waiting.push(take));
  }
}
