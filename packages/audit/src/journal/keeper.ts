/** Whoever takes batches and keeps them, here or in a thread of its own. */

import type { Batch } from '../store/batch.js';

export interface Keeper {
  /** Resolves when the batch is on disk. One that failed may be made again; it is not to be used any more. */
  keep(batch: Batch): Promise<void>;
  /** Ends, if need be by force after a time. */
  close(limitMs: number): Promise<void>;
}
