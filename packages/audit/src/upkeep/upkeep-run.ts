/** One round of upkeep: brings the tables up to date, then deletes what is too old or too much. */

import { retain, type Retained, type RetentionOptions } from '../journal/retention.js';
import type { AuditStore } from '../store/audit-store.js';
import { fillStore, type FillOptions } from './fill-store.js';

export interface UpkeepRun extends RetentionOptions, Pick<FillOptions, 'recordsAtOnce' | 'rest'> {
  /** Whether the tables are brought up to date. If not, this round only deletes. */
  readonly fills: boolean;
}

export async function runUpkeep(
  store: AuditStore,
  run: UpkeepRun,
  signal?: AbortSignal,
): Promise<Retained> {
  const { before } = run;
  if (run.fills) await fillStore({ ...run, store, signal });
  const retained = retain(run);
  for (const { journal, through, isGone } of retained.pruned) {
    await store.forget?.(journal, through.n, isGone);
  }
  if (retained.own) await store.forget?.(retained.own.journal, retained.own.through.n, false);
  if (before !== undefined) await store.prune(new Date(before).toISOString());
  return retained;
}
