/**
 * Deletes journal files that are too old or too large in total, oldest first, and records where
 * each journal begins now.
 */

import { rmSync, statSync } from 'node:fs';

import { type Anchor, GENESIS, type Place, readAnchor, replaceAnchor } from './anchor.js';
import { type JournalFiles, journalsIn, type PartFile } from './journal-folder.js';
import { lineHead } from './line-head.js';
import { readLines } from './read-lines.js';
import type { FoundEvent } from './recover.js';

/** What may stay in a folder of journals. */
export interface RetentionOptions {
  readonly folder: string;
  /** The name of the journal that this process writes. */
  readonly own: string;
  /**
   * Deletes files that were last written before this time, in milliseconds since 1970. Default: none
   * is deleted for its age.
   */
  readonly before?: number | undefined;
  readonly maxBytes: number;
}

/** What was deleted of a journal, or is to be deleted. */
interface Pruned {
  readonly journal: string;
  /** The last place that is deleted. */
  readonly through: Place;
  readonly files: readonly string[];
  /** The whole journal is deleted. */
  readonly isGone: boolean;
  readonly event: FoundEvent;
}

/** The result of one deletion. */
export interface Retained {
  /** Already deleted. */
  readonly pruned: readonly Pruned[];
  /** For the writer of its own journal to delete, after it has written that into its anchor. */
  readonly own?: Pruned;
}

interface Part extends PartFile {
  readonly journal: JournalFiles;
  readonly size: number;
  /** When it was last written, in milliseconds since 1970. */
  readonly time: number;
}

/** The share of the limit that is kept, so that the next deletion is not due at once. */
const KEPT_SHARE = 0.9;

/** Deletes files of journals whose process has ended. Files of its own journal are only named. */
export function retain(options: RetentionOptions): Retained {
  const { folder, own } = options;
  const journals = journalsIn(folder);
  const chosen = new Map<JournalFiles, Part[]>();
  for (const part of tooMuch(journals, options)) {
    chosen.set(part.journal, [...(chosen.get(part.journal) ?? []), part]);
  }
  const pruned: Pruned[] = [];
  let ofOwn: Pruned | undefined;
  for (const [journal, parts] of chosen) {
    if (journal.name === own) {
      // The last part is still written.
      const old = parts.filter(({ part }) => part !== journal.parts.at(-1)!.part);
      if (old.length > 0) ofOwn = prunedOf(journal, old, undefined);
      continue;
    }
    const gone = prunedOfOther(journal, parts);
    if (!gone) continue;
    pruned.push(gone);
    deleteFiles(gone, journal);
  }
  for (const journal of journals) if (journal.name !== own) deleteRemains(journal);
  return { pruned, ...(ofOwn ? { own: ofOwn } : {}) };
}

/** `undefined`: its files are kept. */
function prunedOfOther(journal: JournalFiles, parts: readonly Part[]): Pruned | undefined {
  try {
    // A running process deletes the files of its journal itself. One that died is repaired first.
    return journal.isOpen ? undefined : prunedOf(journal, parts, readAnchor(journal.anchor));
  } catch {
    // It cannot be read. The other journals can still be deleted.
    return undefined;
  }
}

function deleteFiles({ files, isGone, through }: Pruned, { anchor: path }: JournalFiles): void {
  const anchor = readAnchor(path);
  // The anchor comes first: deleting files that it still expects would look like tampering. Another
  // process may already have deleted more.
  if (path !== undefined && anchor && through.part > (anchor.pruned?.part ?? 0)) {
    try {
      replaceAnchor(path, { ...anchor, pruned: through });
    } catch (error) {
      // On a full disk, a journal that goes as a whole makes the space.
      if (!isGone) throw error;
    }
  }
  for (const file of files) rmSync(file, { force: true });
  if (isGone && path !== undefined) rmSync(path, { force: true });
}

/** An anchor whose whole journal was deleted, by a process that was killed before it deleted the anchor. */
function deleteRemains({ parts, isOpen, anchor: path }: JournalFiles): void {
  if (parts.length > 0 || isOpen || path === undefined) return;
  try {
    const anchor = readAnchor(path);
    if (anchor?.pruned && anchor.pruned.n >= anchor.end.n) rmSync(path, { force: true });
  } catch {
    // It cannot be read. That is for people to look at.
  }
}

/** The oldest parts, and of each journal only from its beginning on. */
function tooMuch(journals: readonly JournalFiles[], options: RetentionOptions): Part[] {
  const { before = -Infinity, maxBytes } = options;
  const parts = journals.flatMap((journal) => {
    let time = 0;
    return journal.parts.flatMap((part): Part[] => {
      const stat = statSync(part.path, { throwIfNoEntry: false });
      if (!stat) return [];
      // No part is older than the one before it, even if the clock was set back in between.
      time = Math.max(time, stat.mtimeMs);
      return [{ ...part, journal, size: stat.size, time }];
    });
  });
  let bytes = parts.reduce((sum, { size }) => sum + size, 0);
  const limit = bytes > maxBytes ? maxBytes * KEPT_SHARE : Infinity;
  return parts
    .toSorted((a, b) => a.time - b.time)
    .filter(({ time, size }) => {
      const isChosen = time < before || bytes > limit;
      if (isChosen) bytes -= size;
      return isChosen;
    });
}

function prunedOf(
  journal: JournalFiles,
  parts: readonly Part[],
  anchor: Anchor | undefined,
): Pruned {
  const last = parts.at(-1)!;
  const next = journal.parts.find(({ part }) => part > last.part);
  const begin = anchor?.pruned?.n ?? firstNumber(journal.parts[0]!) - 1;
  const through = next ? placeBefore(next, last) : (anchor?.end ?? { ...UNKNOWN, n: begin });
  const count = Math.max(through.n - begin, 0);
  const reason = 'they were too old, or the journal was too large';
  return {
    journal: journal.name,
    through,
    files: parts.map(({ path }) => path),
    isGone: next === undefined,
    event: { kind: 'pruned', journal: journal.name, reason, count },
  };
}

const UNKNOWN: Place = { ...GENESIS, part: 0 };

/** The first line of a part holds the hash of the block before it. */
function placeBefore(next: PartFile, last: Part): Place {
  for (const { text } of readLines(next.path)) {
    const head = lineHead(text);
    return {
      part: last.part,
      size: last.size,
      n: (head?.n ?? 0) - 1,
      hash: head?.prev ?? UNKNOWN.hash,
    };
  }
  return UNKNOWN;
}

function firstNumber({ path }: PartFile): number {
  for (const { text } of readLines(path)) return lineHead(text)?.n ?? 0;
  return 0;
}
