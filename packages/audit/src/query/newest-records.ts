/** Finds the newest records in the journals themselves: those that the tables do not have. */

import { statSync } from 'node:fs';
import { setImmediate as nextTurn } from 'node:timers/promises';

import { type JournalFiles, journalsIn } from '../journal/journal-folder.js';
import { recordOf } from '../journal/line-head.js';
import type { Position } from '../journal/position.js';
import { partsFrom } from '../journal/read-lines.js';
import { type AuditRecord, isComplete, isOfCall } from '../record/audit-record.js';
import { UnreadableJournal } from '../record/trouble.js';
import { filterMatcher } from '../store/audit-filter.js';
import type { ListOptions, StoredRecord } from '../store/audit-store.js';
import { storedRecord } from '../store/stored-call.js';

/** A part of a journal with records that the tables do not have. */
interface FreshPart {
  readonly journal: JournalFiles;
  readonly part: number;
  readonly offset: number;
  /** Bytes that the tables do not have. */
  readonly bytes: number;
  /** When it was last written, in milliseconds since 1970. No record in it is newer. */
  readonly time: number;
}

/** What the journals of a folder have beyond what the tables have. */
export interface Backlog {
  /** The part that was written last comes first. */
  readonly parts: readonly FreshPart[];
  readonly bytes: number;
}

/** `known`: how far the tables have each journal. */
export function backlogIn(folder: string, known: ReadonlyMap<string, Position>): Backlog {
  const parts = journalsIn(folder).flatMap((journal) => {
    const at = known.get(journal.name);
    return journal.parts.flatMap(({ part, path }): FreshPart[] => {
      const stat = part < (at?.part ?? 0) ? undefined : statSync(path, { throwIfNoEntry: false });
      const offset = part === at?.part ? at.offset : 0;
      if (!stat || stat.size <= offset) return [];
      return [{ journal, part, offset, bytes: stat.size - offset, time: stat.mtimeMs }];
    });
  });
  const bytes = parts.reduce((sum, each) => sum + each.bytes, 0);
  return { parts: parts.toSorted((a, b) => b.time - a.time || b.part - a.part), bytes };
}

/**
 * Adds the newest records of a backlog that match to those that the tables have, and returns the
 * newest of all, oldest first. Reads the parts from the newest on, and no further than it must.
 */
export async function withNewest(
  folder: string,
  backlog: Backlog,
  stored: readonly StoredRecord[],
  { limit, ...filter }: ListOptions,
  onProgress?: (records: number) => void,
): Promise<StoredRecord[]> {
  const newest = new Newest(stored, limit);
  const matches = filterMatcher(filter);
  const since = filter.since?.getTime() ?? -Infinity;
  let read = 0;
  for (const { journal, part, offset, time } of backlog.parts) {
    if (time < since || newest.isAfter(time)) break;
    for (const record of recordsOf(folder, journal, { part, offset })) {
      newest.take(record, matches);
      if (++read % TOLD === 0) {
        onProgress?.(read);
        await nextTurn();
      }
    }
    newest.trim();
  }
  return newest.rows();
}

const TOLD = 5_000;

/** The records of one part from a position on. */
function* recordsOf(folder: string, { name, parts }: JournalFiles, from: Position) {
  const one = parts.filter(({ part }) => part === from.part);
  try {
    for (const { part, lines } of partsFrom(folder, { name, parts: one }, from)) {
      // Another part that was begun since has its own turn in the next list.
      if (part !== from.part) return;
      for (const { text, isWhole } of lines) {
        const record = isWhole ? recordOf(text) : undefined;
        if (record && isComplete(record)) yield record;
      }
    }
  } catch (error) {
    throw new UnreadableJournal(name, error);
  }
}

interface Found {
  readonly row: StoredRecord;
  /** Whether it belongs into the list. If not, it is kept until its intent is met in an older part. */
  readonly isWanted: boolean;
}

/** The newest records of several sources. The intent and the end of a call become one. */
class Newest {
  readonly #found: Map<string, Found>;
  readonly #limit: number;
  /** Calls of the current part that have an intent there, and no end so far. */
  readonly #begun = new Set<string>();
  /** The time of the oldest record that is in the list for certain. `undefined` until the list is full. */
  #edge: number | undefined;

  constructor(stored: readonly StoredRecord[], limit: number) {
    this.#found = new Map(stored.map((row) => [row.id, { row, isWanted: true }]));
    this.#limit = limit;
    this.trim();
  }

  /** Whether the list is full of records that are newer than this time. */
  isAfter(time: number): boolean {
    return this.#edge !== undefined && this.#edge > time;
  }

  take(record: AuditRecord, matches: (record: AuditRecord) => boolean): void {
    const row = storedRecord(record);
    if (!row) return;
    const { id } = row;
    const known = this.#found.get(id);
    if (isOfCall(record) && record.kind === 'intent') {
      this.#begun.add(id);
      if (!known && matches(record)) this.#found.set(id, { row, isWanted: true });
      // The end is known already. The call has the time of its intent.
      else if (known?.isWanted)
        this.#found.set(id, { row: { ...known.row, time: row.time }, isWanted: true });
      else this.#found.delete(id);
      return;
    }
    const time = known?.row.time ?? row.time;
    if (matches({ ...record, time }))
      this.#found.set(id, { row: { ...row, time }, isWanted: true });
    // A call is listed by how it ended, even if its intent would match.
    else if (this.#begun.has(id) || known) this.#found.delete(id);
    else if (record.kind === 'call' && record.intent !== undefined) {
      this.#found.set(id, { row, isWanted: false });
    }
    this.#begun.delete(id);
  }

  /** Call it after each part. Forgets what is too old for the list. */
  trim(): void {
    this.#begun.clear();
    const rows = this.rows();
    if (rows.length < this.#limit) return;
    const oldest = rows[0]!.time;
    this.#edge = Date.parse(oldest);
    for (const [id, { row }] of this.#found) if (row.time < oldest) this.#found.delete(id);
  }

  rows(): StoredRecord[] {
    return [...this.#found.values()]
      .flatMap(({ row, isWanted }) => (isWanted ? row : []))
      .toSorted((a, b) => (a.time < b.time ? -1 : Number(a.time > b.time)))
      .slice(-this.#limit);
  }
}
