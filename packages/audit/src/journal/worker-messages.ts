/** What the gateway and the thread that keeps its log say to each other. */

import type { AuditSettings } from '../record/audit-settings.js';
import type { Batch } from '../store/batch.js';

/** With what the thread starts. */
export interface WorkerStart extends Pick<
  AuditSettings,
  'arguments' | 'redact' | 'keepDays' | 'maxBytes'
> {
  readonly file: string;
}

export type ToWorker =
  | { readonly type: 'keep'; readonly batch: Batch }
  | { readonly type: 'close' };

export type FromWorker =
  | { readonly type: 'kept' }
  | { readonly type: 'failed'; readonly reason: string }
  | { readonly type: 'said'; readonly sentence: string };
