/** The records as people and their commands read them. */

import { setTimeout as sleep } from 'node:timers/promises';

import { readAnchor } from '../journal/anchor.js';
import { type JournalFiles, journalsIn } from '../journal/journal-folder.js';
import { lineHead, recordOf } from '../journal/line-head.js';
import { readLines } from '../journal/read-lines.js';
import type { AuditRecord } from '../record/audit-record.js';
import { type AuditFilter, filterMatcher } from '../store/audit-filter.js';
import type {
  AuditRow,
  AuditStore,
  ListOptions,
  QueryResult,
  Stats,
  StatsGroup,
  TimelineStep,
} from '../store/audit-store.js';
import { AuditTrouble } from '../record/trouble.js';
import { fillStore } from '../upkeep/fill-store.js';
import { CSV_HEAD, toCsvLine } from './audit-export.js';
import { endsOf, recordsAfter } from './follow.js';
import { exportOtlp, type OtlpOptions } from './otlp-export.js';
import { anchorLine, type Progress, type Verification, verifyFolder } from './verify.js';

export interface TailOptions extends AuditFilter {
  readonly signal: AbortSignal;
}

export interface AuditReaderOptions {
  readonly folder: string;
  readonly store: AuditStore;
}

/** A record and the line that holds it. */
export interface ShownRecord {
  readonly journal: string;
  readonly record: AuditRecord;
  /** The hash of the block before, if the line begins a block. */
  readonly prev?: string;
}

const TAIL_MS = 250;

export class AuditReader {
  readonly #folder: string;
  readonly #store: AuditStore;

  constructor({ folder, store }: AuditReaderOptions) {
    this.#folder = folder;
    this.#store = store;
  }

  /** Whether anything was recorded. */
  get hasRecords(): boolean {
    return journalsIn(this.#folder).length > 0;
  }

  /** Brings the tables up to date. Queries do so themselves. */
  refresh(onProgress?: Progress): Promise<number> {
    return fillStore({ folder: this.#folder, store: this.#store, onProgress });
  }

  /** The newest that match, the oldest of them first. A call without an outcome has not ended. */
  async list(options: ListOptions): Promise<AuditRow[]> {
    await this.refresh();
    return this.#store.list(options);
  }

  async stats(filter: AuditFilter): Promise<Stats> {
    await this.refresh();
    return this.#store.stats(filter);
  }

  /** Calls and errors in each step that has calls, the oldest first. Of a store that knows days only, in days. */
  async timeline(filter: AuditFilter, step: TimelineStep): Promise<readonly StatsGroup[]> {
    await this.refresh();
    if (this.#store.timeline) return this.#store.timeline(filter, step);
    return (await this.#store.stats(filter)).days;
  }

  /** SQL that only reads. Rejects if the store has no SQL. */
  async query(sql: string, limit: number): Promise<QueryResult> {
    await this.refresh();
    if (!this.#store.query) throw new AuditTrouble('its store does not take SQL');
    return this.#store.query(sql, limit);
  }

  /** The record with an id and, of a call, its other half: the intent, then the end. */
  show(id: string): ShownRecord[] {
    const writer = id.slice(0, id.lastIndexOf('-'));
    const journal = journalsIn(this.#folder).find((each) => each.writer === writer);
    if (!journal) return [];
    const found: ShownRecord[] = [];
    for (const shown of recordsOf(journal, id)) {
      const { record } = shown;
      const isEnd = record.kind === 'call' && record.intent === id;
      if (record.id === id || isEnd) found.push(shown);
    }
    const [first] = found;
    if (first?.record.kind !== 'call' || first.record.intent === undefined) return found;
    // The intent comes before the end.
    for (const shown of recordsOf(journal, first.record.intent)) {
      if (shown.record.id === first.record.intent) return [shown, ...found];
    }
    return found;
  }

  /** Records as they come in, until the signal. It begins when it is called, not when it is first read. */
  tail({ signal, ...filter }: TailOptions): AsyncIterable<AuditRecord> {
    const folder = this.#folder;
    const positions = endsOf(folder);
    const matches = filterMatcher(filter);
    return (async function* follow() {
      while (!signal.aborted) {
        for (const { journal, record, position } of recordsAfter(folder, positions)) {
          positions.set(journal, position);
          if (matches(record)) yield record;
          if (signal.aborted) return;
        }
        await sleep(TAIL_MS, undefined, { signal }).catch(() => undefined);
      }
    })();
  }

  /**
   * Line by line, journal after journal. The JSON lines are those of the journals; without a filter their
   * anchors follow, so that the copy can be verified.
   */
  *export(format: 'jsonl' | 'csv', filter: AuditFilter = {}): Iterable<string> {
    const matches = filterMatcher(filter);
    const isWhole = Object.keys(filter).length === 0;
    if (format === 'csv') yield CSV_HEAD;
    for (const { name, parts, anchor: path } of journalsIn(this.#folder)) {
      const anchor = readAnchor(path);
      for (const { path: file } of parts) {
        for (const { text, isWhole: isLine } of readLines(file)) {
          if (!isLine) continue;
          const record = recordOf(text);
          const isWanted = record !== undefined && matches(record);
          if (format === 'csv' ? isWanted : isWhole || isWanted) {
            yield format === 'csv' ? toCsvLine(record!) : text;
          }
        }
      }
      if (format === 'jsonl' && isWhole && anchor) yield anchorLine({ ...anchor, journal: name });
    }
  }

  exportOtlp(options: Omit<OtlpOptions, 'folder'>): Promise<number> {
    return exportOtlp({ ...options, folder: this.#folder });
  }

  verify(onProgress?: Progress): Verification {
    return verifyFolder(this.#folder, onProgress);
  }

  close(): Promise<void> {
    return this.#store.close();
  }
}

/** Records that mention an id. Most lines are not parsed for it. */
function* recordsOf({ name, parts }: JournalFiles, id: string): Iterable<ShownRecord> {
  for (const { path } of parts) {
    for (const { text } of readLines(path)) {
      if (!text.includes(id)) continue;
      const record = recordOf(text);
      const prev = lineHead(text)?.prev;
      if (record) yield { journal: name, record, ...(prev === undefined ? {} : { prev }) };
    }
  }
}
