/** The options of a journal, and its status. */

import type { Log } from '@callsign/core';

import type { Redact } from '../record/record-line.js';

/** One journal belongs to one process. */
export interface JournalOptions {
  readonly folder: string;
  readonly durability: 'process' | 'disk';
  /** The size at which the next file begins. */
  readonly rotateBytes: number;
  readonly redact?: Redact | undefined;
  readonly log: Log;
  /** A sentence for people: what it means for calls if records cannot be written. */
  readonly consequence: string;
  /** Called when a new part has begun, the first one included. */
  readonly onPart?: (() => void) | undefined;
  /** Only for tests. */
  readonly maxWaiting?: number;
}

/**
 * How the journal is doing, for the console and for metrics. `trouble`: why it cannot be written.
 */
export interface JournalStatus {
  /** Records that are queued. */
  readonly waiting: number;
  /** Records that were lost since the start. */
  readonly lost: number;
  readonly trouble?: string;
}
