/** What the path of a call leaves for the log: facts by reference, nothing hashed, nothing written out. */

/** What many records have in common, written out once: the same object for all of them. */
export interface Shared {
  /** The members of an object, as JSON text in its braces. */
  readonly text: string;
  /** The tool's definition, where arguments are kept: its schema says which of them are secret. */
  readonly definition?: string;
}

/** Of an entry that nobody has taken. */
export const UNNUMBERED = -1;

interface Numbered {
  /** Counts up from zero without a gap, so that an entry that is sent twice is kept once. */
  n: number;
  readonly time: number;
}

interface AnyCall extends Numbered {
  readonly shared: Shared;
  /** Of a caller without a session, what tells it apart from others. */
  readonly session: string | undefined;
  /** As they came. */
  readonly params: string;
}

export interface IntentEntry extends AnyCall {
  readonly kind: 'intent';
}

export interface CallEntry extends AnyCall {
  readonly kind: 'call';
  readonly ms: number;
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
