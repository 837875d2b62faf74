/** One round of upkeep: brings the tables up to date, then deletes what is too old or too much. */

import { retain, type Retained, type RetentionOptions } from '../journal/retention.js';
import type { AuditStore } from '../store/audit-store.js';
import { fillStore } from './fill-store.js';

export interface UpkeepRun extends RetentionOptions {
  /** Records per transaction. */
  readonly recordsAtOnce?: number;
}

export async function runUpkeep(store: AuditStore, run: UpkeepRun): Promise<Retained> {
  const { folder, before, recordsAtOnce } = run;
  await fillStore({ folder, store, ...(recordsAtOnce === undefined ? {} : { recordsAtOnce }) });
  // After the tables are up to date: deleted records could not be added any more.
  const retained = retain(run);
  for (const { journal, through, isGone } of retained.pruned) {
    await store.forget?.(journal, through.n, isGone);
  }
  if (retained.own) await store.forget?.(retained.own.journal, retained.own.through.n, false);
  if (before !== undefined) await store.prune(new Date(before).toISOString());
  return retained;
}
