/** The tables of calls: what every store of them must do. They are made of journals, and can be made again. */

import type { Risk } from '@callsign/annotations';

import type { Anchor } from '../journal/anchor.js';
import type { Position } from '../journal/journal-source.js';
import type { AuditRecord, EventKind, Severity } from '../record/audit-record.js';
import type { AuditFilter } from './audit-filter.js';

/** A call with its intent and its end; the columns of the table `calls`. */
export interface CallRow {
  readonly kind: 'call';
  /** The id of its first record. */
  readonly id: string;
  readonly time: string;
  readonly severity: Severity;
  readonly server: string | null;
  readonly tool: string;
  readonly name: string;
  readonly method: string;
  readonly risk: Risk | null;
  /** Who said so. */
  readonly evidence: string | null;
  readonly because: string | null;
  readonly decision: string | null;
  readonly rule: string | null;
  /** Of each module, as JSON. */
  readonly decisions: string | null;
  /** Unset: the call has not ended, or its end was lost. */
  readonly outcome: string | null;
  readonly caller: string | null;
  readonly client: string;
  readonly clientVersion: string;
  readonly session: string;
  readonly era: string;
  readonly ms: number | null;
  readonly retries: number | null;
  readonly sizeIn: number;
  readonly sizeOut: number | null;
  readonly fingerprint: string | null;
  /** Without secrets, as JSON; only where they are kept. */
  readonly arguments: string | null;
  /** Whether an intent was written before it was made. */
  readonly announced: boolean;
}

/** An event of a journal; the columns of the table `events`. */
export interface EventRow {
  readonly kind: EventKind;
  readonly id: string;
  readonly time: string;
  readonly severity: Severity;
  readonly journal: string;
  readonly reason: string;
  readonly count: number;
}

export type AuditRow = CallRow | EventRow;

export interface ListOptions extends AuditFilter {
  /** How many at most: the newest. */
  readonly limit: number;
}

/** Calls with something in common. */
export interface StatsGroup {
  readonly name: string;
  readonly calls: number;
  /** Calls that ended otherwise than `ok`. */
  readonly errors: number;
  /** In milliseconds, within 5 percent. Unset: no call has ended. */
  readonly p50?: number;
  readonly p95?: number;
}

export interface Stats {
  readonly total: StatsGroup;
  /** The most calls first. */
  readonly servers: readonly StatsGroup[];
  readonly tools: readonly StatsGroup[];
  readonly callers: readonly StatsGroup[];
  /** The oldest first. */
  readonly days: readonly StatsGroup[];
}

export interface QueryResult {
  readonly columns: readonly string[];
  readonly rows: readonly (readonly unknown[])[];
  /** There were more rows than the limit. */
  readonly isCut: boolean;
}

/** What a journal has between two positions. */
export interface JournalSlice {
  readonly records: readonly AuditRecord[];
  /** All lines, also those that are no records, for stores that keep them. */
  readonly lines: readonly string[];
}

export interface AuditStore {
  /** How far behind the journals the tables may be, in milliseconds. Unset: some minutes. */
  readonly lagMs?: number;
  /** How far journals are in the tables: all, or those with these names. */
  positions(journals?: readonly string[]): Promise<ReadonlyMap<string, Position>>;
  /**
   * Adds a slice of one journal and remembers the position: both or neither. Does nothing if the journal is
   * not at the position `from` any more; another process was faster.
   */
  add(
    journal: string,
    slice: JournalSlice,
    from: Position | undefined,
    to: Position,
  ): Promise<void>;
  /** Takes the anchor of a journal, for stores that keep lines. */
  anchor?(journal: string, anchor: Anchor, isOpen: boolean): Promise<void>;
  /** The newest that match, the oldest of them first. */
  list(options: ListOptions): Promise<AuditRow[]>;
  stats(filter: AuditFilter): Promise<Stats>;
  /** Runs SQL that only reads. Unset: the store has no SQL. */
  query?(sql: string, limit: number): Promise<QueryResult>;
  /** Deletes what happened before a time. Returns the number of calls. */
  prune(before: string): Promise<number>;
  /**
   * Deletes the records of a journal up to a number, and its position if nothing is left of it. Unset: the
   * tables may keep more than the journals of this machine.
   */
  forget?(journal: string, through: number, isGone: boolean): Promise<void>;
  close(): Promise<void>;
}

/** Makes a store. The default export of a store module, or an element of `stores`. */
export interface StoreModule {
  /** What `audit.store` calls it. */
  readonly name: string;
  /** `folder`: of the journals. */
  open(options: { readonly folder: string; readonly settings: unknown }): AuditStore;
}
