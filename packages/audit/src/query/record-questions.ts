/** The questions that a thread answers about records. */

import type { AuditFilter } from '../store/audit-filter.js';
import type {
  ListOptions,
  Stats,
  StatsGroup,
  StoredRecord,
  TimelineStep,
} from '../store/audit-store.js';
import type { ShownRecord } from './audit-reader.js';
import type { Verification } from './verify.js';

type Answer<T> = T | Promise<T>;

export interface RecordQuestions {
  list(options: ListOptions): Answer<readonly StoredRecord[]>;
  stats(filter: AuditFilter): Answer<Stats>;
  timeline(filter: AuditFilter, step: TimelineStep): Answer<readonly StatsGroup[]>;
  show(id: string): Answer<readonly ShownRecord[]>;
  verify(): Answer<Verification>;
  /** The next lines of an export. Empty at its end. */
  exportNext(format: 'jsonl' | 'csv', filter: AuditFilter): Answer<readonly string[]>;
}

export interface AskedQuestion {
  readonly name: keyof RecordQuestions;
  readonly args: readonly unknown[];
}

/** Answers come in the order of the questions. */
export type GivenAnswer = { readonly value: unknown } | { readonly error: string };
