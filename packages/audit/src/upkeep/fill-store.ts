/** Brings the tables up to date: reads the journals from the position of the tables on. */

import { setImmediate as nextTurn, setTimeout as sleep } from 'node:timers/promises';

import { type CurrentAnchor, currentAnchor } from '../journal/anchor.js';
import { type JournalFiles, journalsIn } from '../journal/journal-folder.js';
import type { Position } from '../journal/position.js';
import { recordOf } from '../journal/line-head.js';
import { partsFrom } from '../journal/read-lines.js';
import { type AuditRecord, isComplete } from '../record/audit-record.js';
import { UnreadableJournal } from '../record/trouble.js';
import type { AuditStore, JournalSlice } from '../store/audit-store.js';

/** Records per transaction. Between two transactions the event loop is free for calls. */
const RECORDS_AT_ONCE = 2_000;

export interface FillOptions {
  readonly folder: string;
  readonly store: AuditStore;
  readonly recordsAtOnce?: number;
  /** How long to rest after each slice, as a multiple of the time that it took to read and store it. */
  readonly rest?: number | undefined;
  /** Ends the work after the current slice. The next round continues from there. */
  readonly signal?: AbortSignal | undefined;
  readonly onProgress?: ((records: number) => void) | undefined;
}

/**
 * Returns the number of records that were read. Safe to run in several processes at once. Throws
 * `UnreadableJournal` in the end if a journal cannot be read.
 */
export async function fillStore(options: FillOptions): Promise<number> {
  const { folder, store, signal, onProgress } = options;
  const journals = journalsIn(folder);
  const positions = await store.positions(journals.map(({ name }) => name));
  let records = 0;
  let failure: UnreadableJournal | undefined;
  for (const journal of journals) {
    if (signal?.aborted) break;
    try {
      // Read before the lines: the anchor may lag behind them, but must not be ahead of them.
      const now = store.anchor && anchorOf(folder, journal);
      for await (const count of fillFrom(journal, positions.get(journal.name), options)) {
        records += count;
        onProgress?.(records);
        if (signal?.aborted) return records;
      }
      if (now) await store.anchor!(journal.name, now.anchor, now.isOpen);
    } catch (error) {
      if (!(error instanceof UnreadableJournal)) throw error;
      failure ??= error;
    }
  }
  if (failure) throw failure;
  return records;
}

async function* fillFrom(
  journal: JournalFiles,
  known: Position | undefined,
  { folder, store, recordsAtOnce = RECORDS_AT_ONCE, rest, signal }: FillOptions,
): AsyncIterable<number> {
  const { name } = journal;
  let from = known;
  let started = performance.now();
  for (const { part, lines: linesOfPart } of readable(name, partsFrom(folder, journal, known))) {
    let records: AuditRecord[] = [];
    let lines: string[] = [];
    let end = part === from?.part ? from.offset : 0;
    for (const line of readable(name, linesOfPart)) {
      if (!line.isWhole) break;
      end = line.end;
      lines.push(line.text);
      const record = recordOf(line.text);
      if (record && isComplete(record)) records.push(record);
      if (lines.length < recordsAtOnce) continue;
      from = await put({ records, lines }, end, part);
      yield records.length;
      records = [];
      lines = [];
    }
    if (end > (part === from?.part ? from.offset : 0)) {
      from = await put({ records, lines }, end, part);
      yield records.length;
    }
  }

  async function put(slice: JournalSlice, end: number, part: number): Promise<Position> {
    const to = { part, offset: end };
    await store.add(name, slice, from, to);
    if (rest === undefined) await nextTurn();
    // An end during the rest is noticed after it.
    else await sleep((performance.now() - started) * rest, undefined, { signal }).catch(() => {});
    started = performance.now();
    return to;
  }
}

function anchorOf(folder: string, { name }: JournalFiles): CurrentAnchor | undefined {
  try {
    return currentAnchor(folder, name);
  } catch (error) {
    throw new UnreadableJournal(name, error);
  }
}

/** What is read of a journal. Errors name it. */
function* readable<T>(journal: string, read: Iterable<T>): Iterable<T> {
  try {
    yield* read;
  } catch (error) {
    throw new UnreadableJournal(journal, error);
  }
}
