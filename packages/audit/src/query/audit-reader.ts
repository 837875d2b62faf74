/** Reads records for people and commands. */

import { setTimeout as sleep } from 'node:timers/promises';

import { journalsIn } from '../journal/journal-folder.js';
import { folderSource, type JournalSource, type SourceJournal } from '../journal/journal-source.js';
import { lineHead, recordOf } from '../journal/line-head.js';
import type { AuditRecord } from '../record/audit-record.js';
import { type AuditFilter, filterMatcher } from '../store/audit-filter.js';
import type {
  AuditStore,
  ListOptions,
  QueryResult,
  Stats,
  StatsGroup,
  StoredRecord,
  TimelineStep,
} from '../store/audit-store.js';
import { AuditTrouble, auditTrouble, UnreadableJournal } from '../record/trouble.js';
import { fillStore } from '../upkeep/fill-store.js';
import { CSV_HEAD, toCsvLine } from './audit-export.js';
import { recordsAfter } from './follow.js';
import { type Backlog, backlogIn, withNewest } from './newest-records.js';
import { exportOtlp, type OtlpOptions } from './otlp-export.js';
import { anchorLine, type Progress, type Verification, verifySource } from './verify.js';

/** Which records to follow. The signal ends the stream without an error. */
export interface TailOptions extends AuditFilter {
  readonly signal: AbortSignal;
}

interface AuditReaderOptions {
  /** The folder of this machine's journals. */
  readonly folder: string;
  readonly store: AuditStore;
  /**
   * Where journals are read. Default: in the folder, and the tables are brought up to date from
   * there.
   */
  readonly source?: JournalSource | undefined;
  /**
   * With a source: whether lists and verification also have what only the journals of the folder
   * have. Statistics cannot, so a page that shows both leaves it out.
   */
  readonly addsLocal?: boolean;
  /** Tells people something about an answer: a sentence. */
  readonly say?: ((sentence: string) => void) | undefined;
}

/** A record and the line that holds it. */
export interface ShownRecord {
  readonly journal: string;
  readonly record: AuditRecord;
  /** The hash of the previous block. Set if the line begins a block. */
  readonly prev?: string;
}

const TAIL_MS = 250;
/** A list of records does not wait for the tables if they lack more than this. */
const FILLED_BYTES = 16 * 1024 * 1024;

/** Queries bring the tables up to date first. */
export class AuditReader {
  readonly #folder: string;
  readonly #store: AuditStore;
  readonly #source: JournalSource;
  /** Whether other processes bring the tables up to date. */
  readonly #isFilled: boolean;
  readonly #addsLocal: boolean;
  readonly #say: (sentence: string) => void;

  constructor({
    folder,
    store,
    source,
    addsLocal = false,
    say = () => undefined,
  }: AuditReaderOptions) {
    this.#folder = folder;
    this.#addsLocal = addsLocal;
    this.#say = say;
    this.#store = store;
    this.#isFilled = source !== undefined;
    this.#source = source ?? folderSource(folder);
  }

  /** Whether anything was recorded. */
  async hasRecords(): Promise<boolean> {
    if ((await this.#source.journals()).length > 0) return true;
    return this.#addsLocal && journalsIn(this.#folder).length > 0;
  }

  /**
   * Brings the tables up to date. Queries call it themselves. Returns the number of new records.
   */
  async refresh(onProgress?: Progress): Promise<number> {
    if (this.#isFilled) return 0;
    return fillStore({ folder: this.#folder, store: this.#store, onProgress });
  }

  /**
   * The newest records that match, oldest first. A call without an outcome has not ended. What the
   * tables do not have comes from the journals of this machine, from their end on.
   */
  async list(options: ListOptions, onProgress?: Progress): Promise<StoredRecord[]> {
    if (this.#isFilled && !this.#addsLocal) return this.#store.list(options);
    // Tables with `forget` have nothing that these journals do not have, so they can be done without.
    const canDoWithout = !this.#isFilled && this.#store.forget !== undefined;
    let backlog: Backlog;
    let stored: readonly StoredRecord[] = [];
    try {
      backlog = await this.#backlog();
      if (!this.#isFilled && backlog.bytes <= FILLED_BYTES) {
        await this.refresh(onProgress);
        return await this.#store.list(options);
      }
      stored = await this.#store.list(options);
    } catch (error) {
      if (!canDoWithout || error instanceof UnreadableJournal) throw error;
      this.#say(`The tables cannot be used: ${auditTrouble(error).message}. The journal is read.`);
      backlog = backlogIn(this.#folder, new Map());
    }
    return withNewest(this.#folder, backlog, stored, options, onProgress);
  }

  async stats(filter: AuditFilter, onProgress?: Progress): Promise<Stats> {
    await this.refresh(onProgress);
    await this.#sayBacklog();
    return this.#store.stats(filter);
  }

  /** What the journals of this machine have and the tables do not. */
  async #backlog(): Promise<Backlog> {
    const names = journalsIn(this.#folder).map(({ name }) => name);
    return backlogIn(this.#folder, await this.#store.positions(names));
  }

  /** Other processes may not be able to bring the tables up to date. */
  async #sayBacklog(): Promise<void> {
    if (!this.#addsLocal || !this.#isFilled || (await this.#backlog()).bytes === 0) return;
    this.#say(
      'The newest records of this machine are only in its journal. They are not counted here.',
    );
  }

  /**
   * Calls and errors per step, oldest first; steps without calls are left out. A store that only
   * knows days answers in days.
   */
  async timeline(filter: AuditFilter, step: TimelineStep): Promise<readonly StatsGroup[]> {
    await this.refresh();
    if (this.#store.timeline) return this.#store.timeline(filter, step);
    return (await this.#store.stats(filter)).days;
  }

  /** Runs SQL that only reads. Rejects if the store has no SQL. */
  async query(sql: string, limit: number, onProgress?: Progress): Promise<QueryResult> {
    await this.refresh(onProgress);
    if (!this.#store.query) throw new AuditTrouble('its store does not support SQL');
    await this.#sayBacklog();
    return this.#store.query(sql, limit);
  }

  /** The record with an id and, for a call, its other half: the intent first, then the end. */
  async show(id: string): Promise<ShownRecord[]> {
    const writer = id.slice(0, id.lastIndexOf('-'));
    const journal = (await this.#source.journals()).find((each) => each.writer === writer);
    if (!journal) return [];
    const found: ShownRecord[] = [];
    for await (const shown of recordsOf(journal, id)) {
      const { record } = shown;
      const isEnd = record.kind === 'call' && record.intent === id;
      if (record.id === id || isEnd) found.push(shown);
      // Nothing comes after the end of a call.
      if (isEnd || (record.id === id && record.kind !== 'intent')) break;
    }
    const [first] = found;
    if (first?.record.kind !== 'call' || first.record.intent === undefined) return found;
    // The intent comes before the end.
    for await (const shown of recordsOf(journal, first.record.intent)) {
      if (shown.record.id === first.record.intent) return [shown, ...found];
    }
    return found;
  }

  /**
   * New records as they come, until the signal. Starts at the time of the call, not when it is
   * first read.
   */
  tail({ signal, ...filter }: TailOptions): AsyncIterable<AuditRecord> {
    const source = this.#source;
    const start = source.ends();
    // Prevents an unhandled rejection. The reader of the records gets the error.
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
   * Line by line, journal after journal. JSON lines are those of the journals. Without a filter
   * their anchors follow, so that the copy can be verified.
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
    const local = this.#isFilled && this.#addsLocal ? folderSource(this.#folder) : undefined;
    return verifySource(this.#source, onProgress, local);
  }

  async close(): Promise<void> {
    await this.#store.close();
    await this.#source.close?.();
  }
}

/** Records that mention an id. Most lines are not parsed for this. */
async function* recordsOf(journal: SourceJournal, id: string): AsyncIterable<ShownRecord> {
  const n = Number(id.slice(id.lastIndexOf('-') + 1));
  const from = Number.isSafeInteger(n) ? await journal.near?.(n) : undefined;
  for await (const { lines } of journal.lines(from)) {
    for (const { text } of lines) {
      if (!text.includes(id)) continue;
      const record = recordOf(text);
      const prev = lineHead(text)?.prev;
      if (record) yield { journal: journal.name, record, ...(prev === undefined ? {} : { prev }) };
    }
  }
}
