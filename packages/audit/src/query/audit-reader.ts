/** The records as people and their commands read them. */

import { setTimeout as sleep } from 'node:timers/promises';

import { folderSource, type JournalSource, type SourceJournal } from '../journal/journal-source.js';
import { lineHead, recordOf } from '../journal/line-head.js';
import type { AuditRecord } from '../record/audit-record.js';
import { type AuditFilter, filterMatcher } from '../store/audit-filter.js';
import type {
  AuditRow,
  AuditStore,
  ListOptions,
  QueryResult,
  Stats,
} from '../store/audit-store.js';
import { AuditTrouble } from '../record/trouble.js';
import { fillStore } from '../upkeep/fill-store.js';
import { CSV_HEAD, toCsvLine } from './audit-export.js';
import { recordsAfter } from './follow.js';
import { exportOtlp, type OtlpOptions } from './otlp-export.js';
import { anchorLine, type Progress, type Verification, verifySource } from './verify.js';

export interface TailOptions extends AuditFilter {
  readonly signal: AbortSignal;
}

export interface AuditReaderOptions {
  /** Of the journals of this machine. */
  readonly folder: string;
  readonly store: AuditStore;
  /** Where journals are read. Unset: in the folder, and the tables are brought up to date from there. */
  readonly source?: JournalSource | undefined;
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
  readonly #source: JournalSource;
  /** Whether other processes bring the tables up to date. */
  readonly #isFilled: boolean;

  constructor({ folder, store, source }: AuditReaderOptions) {
    this.#folder = folder;
    this.#store = store;
    this.#isFilled = source !== undefined;
    this.#source = source ?? folderSource(folder);
  }

  /** Whether anything was recorded. */
  async hasRecords(): Promise<boolean> {
    return (await this.#source.journals()).length > 0;
  }

  /** Brings the tables up to date. Queries do so themselves. */
  async refresh(onProgress?: Progress): Promise<number> {
    if (this.#isFilled) return 0;
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

  /** SQL that only reads. Rejects if the store has no SQL. */
  async query(sql: string, limit: number): Promise<QueryResult> {
    await this.refresh();
    if (!this.#store.query) throw new AuditTrouble('its store does not take SQL');
    return this.#store.query(sql, limit);
  }

  /** The record with an id and, of a call, its other half: the intent, then the end. */
  async show(id: string): Promise<ShownRecord[]> {
    const writer = id.slice(0, id.lastIndexOf('-'));
    const journal = (await this.#source.journals()).find((each) => each.writer === writer);
    if (!journal) return [];
    const found: ShownRecord[] = [];
    for await (const shown of recordsOf(journal)) {
      const { record } = shown;
      const isEnd = record.kind === 'call' && record.intent === id;
      if (record.id === id || isEnd) found.push(shown);
    }
    const [first] = found;
    if (first?.record.kind !== 'call' || first.record.intent === undefined) return found;
    // The intent comes before the end.
    for await (const shown of recordsOf(journal)) {
      if (shown.record.id === first.record.intent) return [shown, ...found];
    }
    return found;
  }

  /** Records as they come in, until the signal. It begins when it is called, not when it is first read. */
  tail({ signal, ...filter }: TailOptions): AsyncIterable<AuditRecord> {
    const source = this.#source;
    const start = source.ends();
    // A failure is told to the reader of the records.
    start.catch(() => undefined);
    const matches = filterMatcher(filter);
    return (async function* follow() {
      const positions = await start;
      while (!signal.aborted) {
        for await (const piece of recordsAfter(source, positions)) {
          for (const { journal, record, position } of piece) {
            positions.set(journal, position);
            if (matches(record)) yield record;
            if (signal.aborted) return;
          }
        }
        await sleep(TAIL_MS, undefined, { signal }).catch(() => undefined);
      }
    })();
  }

  /**
   * Line by line, journal after journal. The JSON lines are those of the journals; without a filter their
   * anchors follow, so that the copy can be verified.
   */
  async *export(format: 'jsonl' | 'csv', filter: AuditFilter = {}): AsyncIterable<string> {
    const matches = filterMatcher(filter);
    const isWhole = Object.keys(filter).length === 0;
    if (format === 'csv') yield CSV_HEAD;
    for (const journal of await this.#source.journals()) {
      const anchor = await journal.anchor();
      for await (const { lines } of journal.lines()) {
        for (const { text, isWhole: isLine } of lines) {
          if (!isLine) continue;
          const record = recordOf(text);
          const isWanted = record !== undefined && matches(record);
          if (format === 'csv' ? isWanted : isWhole || isWanted) {
            yield format === 'csv' ? toCsvLine(record!) : text;
          }
        }
      }
      const { name } = journal;
      if (format === 'jsonl' && isWhole && anchor) yield anchorLine({ ...anchor, journal: name });
    }
  }

  exportOtlp(options: Omit<OtlpOptions, 'folder' | 'source'>): Promise<number> {
    return exportOtlp({ ...options, folder: this.#folder, source: this.#source });
  }

  verify(onProgress?: Progress): Promise<Verification> {
    return verifySource(this.#source, onProgress);
  }

  async close(): Promise<void> {
    await this.#store.close();
    await this.#source.close?.();
  }
}

async function* recordsOf(journal: SourceJournal): AsyncIterable<ShownRecord> {
  for await (const { lines } of journal.lines()) {
    for (const { text } of lines) {
      const record = recordOf(text);
      const prev = lineHead(text)?.prev;
      if (record) yield { journal: journal.name, record, ...(prev === undefined ? {} : { prev }) };
    }
  }
}
