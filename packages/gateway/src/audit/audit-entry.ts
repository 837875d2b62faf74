/** What the path of a call leaves for the log: facts by reference, nothing hashed, nothing written out. */

import type { CallerFacts, Outcome, Severity } from './audit-record.js';
import type { HintSource, Risk } from '@callsign/annotations';
import type { Verdict } from '@callsign/core';

/** The same object for all calls of a tool: a batch holds it once. */
export interface ToolFacts {
  readonly tool: string;
  readonly risk: Risk;
  readonly riskFrom: HintSource;
  readonly severity: Severity;
  /** The definition, where arguments are kept: its schema says which of them are secret. */
  readonly definition?: string;
}

/** Of an entry that nobody has taken. */
export const UNNUMBERED = -1;

interface Numbered {
  /** Counts up from zero, so that an entry that is sent twice is kept once. */
  n: number;
  readonly time: number;
}

interface AnyCall extends Numbered {
  readonly tool: ToolFacts;
  readonly caller: CallerFacts;
  readonly name: string;
  readonly method: string;
  readonly verdict: Verdict | undefined;
  /** As they came. */
  readonly params: string;
}

export interface IntentEntry extends AnyCall {
  readonly kind: 'intent';
}

export interface CallEntry extends AnyCall {
  readonly kind: 'call';
  readonly outcome: Outcome;
  readonly ms: number;
  readonly retries: number;
  readonly sizeOut: number;
  /** The number of the entry that announced it. */
  readonly intent: number | undefined;
}

export interface GapEntry extends Numbered {
  readonly kind: 'gap';
  readonly lost: number;
  readonly reason: string;
}

export type AuditEntry = CallEntry | IntentEntry | GapEntry;

/** What one writer hands over at once. */
export interface Batch {
  readonly writer: string;
  readonly entries: readonly AuditEntry[];
}
