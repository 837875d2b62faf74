/**
 * The tables of calls: what every store must do. Tables are built from journals and can be built
 * again at any time.
 */

import type { Risk } from '@callsign/effects';

import type { Anchor } from '../journal/anchor.js';
import type { Position } from '../journal/position.js';
import type { AuditRecord, EventKind, Severity } from '../record/audit-record.js';
import type { AuditFilter } from './audit-filter.js';

/** A call with its intent and its end. Its members are the columns of the table `calls`. */
export interface StoredCall {
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
  /** The source of the evidence for the risk. */
  readonly evidence: string | null;
  readonly because: string | null;
  readonly decision: string | null;
  readonly rule: string | null;
  /** The decision of each module, as JSON. */
  readonly decisions: string | null;
  /** `null`: the call has not ended, or its end was lost. */
  readonly outcome: string | null;
  readonly caller: string | null;
  readonly client: string;
  readonly clientVersion: string;
  readonly session: string;
  readonly era: string;
  readonly ms: number | null;
  /** How many of them it waited for a person. `null`: it did not, or it has not ended. */
  readonly waitedMs: number | null;
  readonly retries: number | null;
  readonly sizeIn: number;
  readonly sizeOut: number | null;
  readonly fingerprint: string | null;
  /** The arguments without secrets, as JSON. `null`: they are not kept. */
  readonly arguments: string | null;
  /** Whether an intent was written before the call. */
  readonly announced: boolean;
  /** The script that made the call, or that it ran. */
  readonly script: string | null;
  /** Whose account at the server it used, if callers have their own there. */
  readonly account: string | null;
}

/** An event of a journal. Its members are the columns of the table `events`. */
export interface StoredEvent {
  readonly kind: EventKind;
  readonly id: string;
  readonly time: string;
  readonly severity: Severity;
  readonly journal: string;
  readonly reason: string;
  readonly count: number;
}

/** What the tables have: a call, or an event of a journal. */
export type StoredRecord = StoredCall | StoredEvent;

/** Which records are listed, and how many. */
export interface ListOptions extends AuditFilter {
  /** At most this many, the newest ones. */
  readonly limit: number;
}

/** Calls that have something in common. */
export interface StatsGroup {
  readonly name: string;
  readonly calls: number;
  /** Calls that ended with an outcome other than `ok`. */
  readonly errors: number;
  /** An estimate of what a model wrote as arguments and read as results. Missing if the store does not know it. */
  readonly tokens?: number;
  /** Milliseconds without waiting for a person, accurate to 5 percent. Missing if no call has ended. */
  readonly p50?: number;
  readonly p95?: number;
}

/** Statistics over all calls that match a filter. */
export interface Stats {
  readonly total: StatsGroup;
  /** Sorted by the number of calls. */
  readonly servers: readonly StatsGroup[];
  readonly tools: readonly StatsGroup[];
  readonly callers: readonly StatsGroup[];
  /** Oldest first. */
  readonly days: readonly StatsGroup[];
}

/** The length of one step of a timeline. */
export type TimelineStep = 'day' | 'hour' | 'minute';

/** The result of an SQL query of a user. Columns and values are in the same order. */
export interface QueryResult {
  readonly columns: readonly string[];
  readonly rows: readonly (readonly unknown[])[];
  /** There were more rows than the limit. */
  readonly isCut: boolean;
}

/** The content of a journal between two positions. */
export interface JournalSlice {
  readonly records: readonly AuditRecord[];
  /** All lines, even those that are not records, for stores that keep lines. */
  readonly lines: readonly string[];
}

/** Methods reject with an `AuditTrouble` if the store cannot be used. */
export interface AuditStore {
  /** How far the tables may be behind the journals, in milliseconds. Default: some minutes. */
  readonly lagMs?: number;
  /** How much of each journal is in the tables. `journals` unset: of all. */
  positions(journals?: readonly string[]): Promise<ReadonlyMap<string, Position>>;
  /**
   * Adds a slice of one journal and saves the position: both or neither. Does nothing if the
   * journal is no longer at `from`, since another process was faster.
   */
  add(
    journal: string,
    slice: JournalSlice,
    from: Position | undefined,
    to: Position,
  ): Promise<void>;
  /** Saves the anchor of a journal. For stores that keep lines. */
  anchor?(journal: string, anchor: Anchor, isOpen: boolean): Promise<void>;
  /** The newest records that match, oldest first. */
  list(options: ListOptions): Promise<StoredRecord[]>;
  stats(filter: AuditFilter): Promise<Stats>;
  /**
   * Calls and errors per step, oldest first. Steps without calls are left out. Missing if the store
   * only knows days.
   */
  timeline?(filter: AuditFilter, step: TimelineStep): Promise<readonly StatsGroup[]>;
  /** Runs SQL that only reads. Missing if the store has no SQL. */
  query?(sql: string, limit: number): Promise<QueryResult>;
  /** Deletes everything before a time. Returns the number of calls. */
  prune(before: string): Promise<number>;
  /**
   * Deletes the records of a journal up to a number, and its position if the journal is gone.
   * Missing if the tables keep more than the journals of this machine.
   */
  forget?(journal: string, through: number, isGone: boolean): Promise<void>;
  close(): Promise<void>;
}

/** Creates a store. It is the default export of a store module, or an element of `stores`. */
export interface StoreModule {
  /** The name for `audit.store`. */
  readonly name: string;
  /** `folder`: the folder of the journals. */
  open(options: { readonly folder: string; readonly settings: unknown }): AuditStore;
}
