/** What a call leaves for the journal: facts by reference. They become text when they are written. */

import type { Intent } from '@callsign/core';

import type { EventKind } from './audit-record.js';

/** What many records have in common, written out once: the same object for all of them. */
export interface Facts {
  /** Members of a JSON object, without its braces. */
  readonly text: string;
  /** The tool's definition, where arguments are kept: its schema says which of them are secret. */
  readonly definition?: string;
}

/** An entry that is not in the journal yet has no number. */
export const UNNUMBERED = -1;

interface Numbered {
  /** Set when the entry is written. */
  n: number;
  readonly time: number;
}

interface AnyCall extends Numbered {
  readonly facts: Facts;
  readonly session: string;
  /** The parameters as they came. */
  readonly params: string;
}

export interface IntentEntry extends AnyCall {
  readonly kind: 'intent';
  /** What was written of the arguments, for the record of the end. */
  given: string | undefined;
}

export interface CallEntry extends AnyCall {
  readonly kind: 'call';
  readonly ms: number;
  readonly sizeOut: number;
  readonly intent: Intent | undefined;
}

export interface EventEntry extends Numbered {
  readonly kind: EventKind;
  /** Unset: the journal that holds the record. */
  readonly journal?: string;
  readonly reason: string;
  readonly count: number;
}

export type AuditEntry = CallEntry | IntentEntry | EventEntry;
