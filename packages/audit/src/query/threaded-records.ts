/** The records of a running gateway, read in threads while it makes calls. */

import type { JournalSource } from '../journal/journal-source.js';
import type { AuditFilter } from '../store/audit-filter.js';
import type {
  AuditStore,
  ListOptions,
  Stats,
  StatsGroup,
  StoredRecord,
  TimelineStep,
} from '../store/audit-store.js';
import { AuditReader, type ShownRecord } from './audit-reader.js';
import { QueryThread } from './query-thread.js';
import type { Verification } from './verify.js';

/** Where records are. On a single machine, `folder` is enough. */
export interface ThreadedRecordsOptions {
  /** The folder of the journals. */
  readonly folder: string;
  /** The tables, if they are not in SQLite. Such a store must not block the thread that asks. */
  readonly store?: AuditStore | undefined;
  /**
   * The journals, if they are not in the folder. Then store and source belong to the gateway and
   * are not closed here.
   */
  readonly source?: JournalSource | undefined;
  /** A thread that is idle for this long is ended, to free its memory. Default: one minute. */
  readonly idleMs?: number;
}

const IDLE_MS = 60_000;

/** Questions to the tables share one thread. Questions that read whole journals get their own. */
export class ThreadedRecords {
  readonly #folder: string;
  readonly #idleMs: number;
  readonly #reader: AuditReader | undefined;
  /** Whether the reader also reads journals. */
  readonly #isShared: boolean;
  #tables: QueryThread | undefined;
  #idle: NodeJS.Timeout | undefined;

  constructor({ folder, store, source, idleMs = IDLE_MS }: ThreadedRecordsOptions) {
    this.#folder = folder;
    this.#idleMs = idleMs;
    this.#reader = store && new AuditReader({ folder, store, source });
    this.#isShared = source !== undefined;
  }

  /** The newest records that match, oldest first. */
  list(options: ListOptions): Promise<readonly StoredRecord[]> {
    return this.#reader?.list(options) ?? this.#thread().ask('list', options);
  }

  stats(filter: AuditFilter): Promise<Stats> {
    return this.#reader?.stats(filter) ?? this.#thread().ask('stats', filter);
  }

  timeline(filter: AuditFilter, step: TimelineStep): Promise<readonly StatsGroup[]> {
    return this.#reader?.timeline(filter, step) ?? this.#thread().ask('timeline', filter, step);
  }

  /** The record with an id and, for a call, its other half. */
  show(id: string): Promise<readonly ShownRecord[]> {
    return this.#shared?.show(id) ?? this.#alone((thread) => thread.ask('show', id));
  }

  /** Checks the hash chain of every journal. */
  verify(): Promise<Verification> {
    return this.#shared?.verify() ?? this.#alone((thread) => thread.ask('verify'));
  }

  /** Lines, several at once. */
  async *export(
    format: 'jsonl' | 'csv',
    filter: AuditFilter,
  ): AsyncGenerator<readonly string[], void> {
    if (this.#shared) {
      for await (const line of this.#shared.export(format, filter)) yield [line];
      return;
    }
    const thread = new QueryThread(this.#folder);
    try {
      for (;;) {
        const lines = await thread.ask('exportNext', format, filter);
        if (lines.length === 0) return;
        yield lines;
      }
    } finally {
      await thread.close();
    }
  }

  async close(): Promise<void> {
    clearTimeout(this.#idle);
    const reader = this.#isShared ? undefined : this.#reader;
    await Promise.all([this.#tables?.close(), reader?.close()]);
    this.#tables = undefined;
  }

  get #shared(): AuditReader | undefined {
    return this.#isShared ? this.#reader : undefined;
  }

  #thread(): QueryThread {
    this.#rest();
    if (this.#tables?.isEnded) this.#tables = undefined;
    return (this.#tables ??= new QueryThread(this.#folder));
  }

  /** Ends the thread later, unless it is asked again or still busy. */
  #rest(): void {
    clearTimeout(this.#idle);
    this.#idle = setTimeout(() => {
      if (this.#tables?.isBusy) return this.#rest();
      void this.#tables?.close();
      this.#tables = undefined;
    }, this.#idleMs).unref();
  }

  async #alone<T>(ask: (thread: QueryThread) => Promise<T>): Promise<T> {
    const thread = new QueryThread(this.#folder);
    try {
      return await ask(thread);
    } finally {
      await thread.close();
    }
  }
}
