/**
 * What a call leaves for the journal: facts by reference. They become text when they are written,
 * away from the call.
 */

import type { Intent } from '@callsign/core';

import type { EventKind } from './audit-record.js';

/** What many records have in common, as text. One object for all of them. */
export interface Facts {
  /** Members of a JSON object, without its braces. */
  readonly text: string;
  /** The tool's definition, if arguments are kept: its schema says which of them are secret. */
  readonly definition?: string;
  /** The text with a session. Kept, because most records belong to the same session as the one before. */
  latest?: { readonly session: string; readonly text: string };
}

/** The number of an entry that is not in the journal yet. */
export const UNNUMBERED = -1;

interface Numbered {
  /** Set when the entry is written. */
  n: number;
  readonly time: number;
}

interface AnyCall extends Numbered {
  readonly facts: Facts;
  readonly session: string;
  /** Characters of the parameters. */
  readonly sizeIn: number;
  /** The arguments as the client sent them, with its answers to questions of the server. */
  readonly argumentsJson: string | undefined;
}

export interface IntentEntry extends AnyCall {
  readonly kind: 'intent';
  /** The arguments as they were recorded. The record of the end repeats them. */
  given: string | undefined;
}

export interface CallEntry extends AnyCall {
  readonly kind: 'call';
  readonly ms: number;
  /** How many of them the call waited for a person. Default: none. */
  readonly waitedMs?: number;
  readonly sizeOut: number;
  readonly intent: Intent | undefined;
}

export interface EventEntry extends Numbered {
  readonly kind: EventKind;
  /** The journal that the event is about. Default: the one that holds the record. */
  readonly journal?: string;
  readonly reason: string;
  readonly count: number;
}

export type AuditEntry = CallEntry | IntentEntry | EventEntry;
