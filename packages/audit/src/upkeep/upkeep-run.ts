/** One round of upkeep: brings the tables up to date, then deletes what is too old or too much. */

import { retain, type Retained, type RetentionOptions } from '../journal/retention.js';
import { UnreadableJournal } from '../record/trouble.js';
import type { AuditStore } from '../store/audit-store.js';
import { fillStore, type FillOptions } from './fill-store.js';

export interface UpkeepRun extends RetentionOptions, Pick<FillOptions, 'recordsAtOnce' | 'rest'> {
  /** Whether the tables are brought up to date. If not, this round only deletes. */
  readonly fills: boolean;
}

/** What a round did. */
export interface UpkeepResult extends Retained {
  /** Which journal is not in the tables, and why. */
  readonly unreadable?: string;
}

export async function runUpkeep(
  store: AuditStore,
  run: UpkeepRun,
  signal?: AbortSignal,
): Promise<UpkeepResult> {
  const { before } = run;
  const unreadable = run.fills ? await fill({ ...run, store, signal }) : undefined;
  const retained = retain(run);
  for (const { journal, through, isGone } of retained.pruned) {
    await store.forget?.(journal, through.n, isGone);
  }
  if (retained.own) await store.forget?.(retained.own.journal, retained.own.through.n, false);
  if (before !== undefined) await store.prune(new Date(before).toISOString());
  return { ...retained, ...(unreadable === undefined ? {} : { unreadable }) };
}

/** Returns why not all records are in the tables. That must not stop the rest of the round. */
async function fill(options: FillOptions): Promise<string | undefined> {
  try {
    await fillStore(options);
    return undefined;
  } catch (error) {
    if (!(error instanceof UnreadableJournal)) throw error;
    return error.message;
  }
}
