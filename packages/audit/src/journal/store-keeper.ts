/** Keeps batches in a store, and the store in bounds. */

import type { AuditSettings } from '../record/audit-settings.js';
import type { AuditStore } from '../store/audit-store.js';
import type { Batch } from '../store/batch.js';
import type { Keeper } from './keeper.js';
import { type Redact, writeDrafts } from './write-drafts.js';

const DAY_MS = 24 * 60 * 60 * 1000;
/** How many records there may be between two looks at what is too old or too much. */
const RECORDS_BETWEEN_LOOKS = 10_000;
const MS_BETWEEN_LOOKS = 10 * 60 * 1000;

export interface StoreKeeperOptions {
  /** Absent where only fingerprints are kept. */
  readonly redact?: Redact;
  readonly retention: Pick<AuditSettings, 'keepDays' | 'maxBytes'>;
  /** Takes sentences for the operator. */
  readonly say: (sentence: string) => void;
}

export class StoreKeeper implements Keeper {
  readonly #store: AuditStore;
  readonly #options: StoreKeeperOptions;
  #sinceLook = RECORDS_BETWEEN_LOOKS;
  #lookedAt = 0;

  constructor(store: AuditStore, options: StoreKeeperOptions) {
    this.#store = store;
    this.#options = options;
  }

  async keep(batch: Batch): Promise<void> {
    const drafts = writeDrafts(batch, this.#options.redact);
    await this.#store.append(batch.writer, drafts);
    for (const { count } of drafts) this.#sinceLook += count;
  }

  /** Deletes what is too old or too much, if it is time to look. Goes beside keeping, not before it. */
  async tidy(): Promise<void> {
    const now = Date.now();
    const isTime =
      this.#sinceLook >= RECORDS_BETWEEN_LOOKS || now - this.#lookedAt >= MS_BETWEEN_LOOKS;
    if (!isTime) return;
    [this.#sinceLook, this.#lookedAt] = [0, now];
    const { keepDays, maxBytes } = this.#options.retention;
    // Somebody who says a million days means for ever.
    const before = new Date(Math.max(now - keepDays * DAY_MS, 0)).toISOString();
    try {
      await this.#store.prune({ before, maxBytes });
    } catch (error) {
      this.#options.say(`Old records were not deleted: ${(error as Error).message}`);
    }
  }

  close(): Promise<void> {
    return this.#store.close();
  }
}
