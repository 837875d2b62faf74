/** What a journal is made with, and what it says of itself. */

import type { Log } from '@callsign/core';

import type { Redact } from '../record/record-line.js';

export interface JournalOptions {
  readonly folder: string;
  readonly durability: 'process' | 'disk';
  /** Size at which the next file begins. */
  readonly rotateBytes: number;
  readonly redact?: Redact | undefined;
  readonly log: Log;
  /** What it means for calls if records cannot be written. */
  readonly consequence: string;
  /** For tests that fill it. */
  readonly maxWaiting?: number;
}

export interface JournalStatus {
  readonly waiting: number;
  /** Since the start. */
  readonly lost: number;
  readonly trouble?: string;
}
