/** The log as people and their commands read it. Reading changes nothing in it. */

import { setTimeout as sleep } from 'node:timers/promises';

import { CSV_COLUMNS, toCsvLine, toJsonLine } from './audit-export.js';
import { type AuditFilter, filterMatcher } from './audit-filter.js';
import type { AuditStore, ReadOptions } from '../store/audit-store.js';
import { type PlacedRecord, recordsIn } from '../store/placed-record.js';
import { openForReading } from '../store/sqlite-file.js';
import { SqliteStore } from '../store/sqlite-store.js';
import { storeTrouble } from '../store/store-trouble.js';
import { type Verification, verifyChain } from './verify-chain.js';

export interface ListOptions extends AuditFilter {
  /** How many at most: the newest. */
  readonly limit?: number;
}

export interface TailOptions extends AuditFilter {
  readonly signal: AbortSignal;
  /** Where to begin; at the end if absent. */
  readonly after?: number;
}

const TAIL_MS = 250;
const DEFAULT_LIMIT = 100;

/** Throws if there is no log at that place. */
export function openAuditReader(file: string): AuditReader {
  try {
    openForReading(file).close();
  } catch (error) {
    throw storeTrouble(error);
  }
  return new AuditReader(new SqliteStore(file, () => undefined));
}

export class AuditReader {
  readonly #store: AuditStore;

  constructor(store: AuditStore) {
    this.#store = store;
  }

  /** The newest records that match, oldest first. An intent is listed only if its call never ended. */
  async list({ limit = DEFAULT_LIMIT, ...filter }: ListOptions = {}): Promise<PlacedRecord[]> {
    const matches = filterMatcher(filter);
    const found: PlacedRecord[] = [];
    // Backwards, an end is met before its intent.
    const ended = new Set<string>();
    for await (const placed of this.#records({ newestFirst: true })) {
      if (found.length >= limit) break;
      const { record } = placed;
      if (record.kind === 'call' && record.intent !== undefined) ended.add(record.intent);
      if (record.kind === 'intent' && ended.delete(record.id)) continue;
      if (matches(record)) found.push(placed);
    }
    return found.toReversed();
  }

  /** The record at a place and, of a call, its other half: what was announced, then how it ended. */
  async show(seq: number): Promise<PlacedRecord[]> {
    const shown = await this.#first({ after: seq - 1 }, () => true);
    if (shown?.seq !== seq) return [];
    const { record } = shown;
    if (record.kind === 'intent') {
      const end = await this.#first(
        { after: seq },
        (placed) => placed.record.kind === 'call' && placed.record.intent === record.id,
      );
      return end ? [shown, end] : [shown];
    }
    if (record.kind !== 'call' || record.intent === undefined) return [shown];
    const intent = await this.#first(
      { newestFirst: true },
      (placed) => placed.record.id === record.intent,
    );
    return intent ? [intent, shown] : [shown];
  }

  /** Records as they come in, until the signal. */
  async *tail({ signal, after, ...filter }: TailOptions): AsyncIterable<PlacedRecord> {
    const matches = filterMatcher(filter);
    let at = after ?? (await this.#end());
    while (!signal.aborted) {
      for await (const placed of this.#records({ after: at })) {
        at = placed.seq;
        if (matches(placed.record)) yield placed;
        if (signal.aborted) return;
      }
      await sleep(TAIL_MS, undefined, { signal }).catch(() => undefined);
    }
  }

  /** Line by line, oldest first. The JSON of a whole log can be verified by itself; the table is for spreadsheets. */
  async *export(format: 'jsonl' | 'csv', filter: AuditFilter = {}): AsyncIterable<string> {
    const matches = filterMatcher(filter);
    if (format === 'csv') yield CSV_COLUMNS.join(',');
    for await (const placed of this.#records({})) {
      if (matches(placed.record)) yield format === 'csv' ? toCsvLine(placed) : toJsonLine(placed);
    }
  }

  verify(onProgress?: (records: number) => void): Promise<Verification> {
    return verifyChain(this.#store, onProgress);
  }

  async #end(): Promise<number> {
    for await (const { seq } of this.#store.read({ newestFirst: true })) return seq;
    return 0;
  }

  async #first(
    options: ReadOptions,
    wanted: (placed: PlacedRecord) => boolean,
  ): Promise<PlacedRecord | undefined> {
    for await (const placed of this.#records(options)) if (wanted(placed)) return placed;
    return undefined;
  }

  async *#records(options: ReadOptions): AsyncIterable<PlacedRecord> {
    const { after = 0, newestFirst = false } = options;
    for await (const segment of this.#store.read(options)) {
      const records = [...recordsIn(segment)].filter(({ seq }) => seq > after);
      yield* newestFirst ? records.toReversed() : records;
    }
  }
}
