/** Where journals are read: in a folder, or those of all instances in a database. */

import type { Anchor } from './anchor.js';
import { type JournalFiles, journalsIn, sizeOf } from './journal-folder.js';
import { readAnchor } from './anchor.js';
import { nearLine } from './near-line.js';
import type { Position, Positions } from './position.js';
import { type Line, readLines } from './read-lines.js';
import { isMissing } from '../record/trouble.js';

/** One journal. */
export interface SourceJournal {
  readonly name: string;
  readonly writer: string;
  /** The process that wrote it has not closed it. */
  readonly isOpen: boolean;
  /** `undefined`: there is none. Rejects if it cannot be read. */
  anchor(): Promise<Anchor | undefined>;
  /** Its lines from a position on, in pieces. */
  lines(from?: Position): AsyncIterable<LinePiece>;
  /**
   * A position at or before the record with this number, to read less. Its result or the method
   * unset: the beginning.
   */
  near?(n: number): Promise<Position | undefined>;
}

/** Consecutive lines of one part. */
export interface LinePiece {
  readonly part: number;
  readonly lines: readonly Line[];
}

/** Read-only. Implemented for a folder and for Postgres. */
export interface JournalSource {
  /** All journals, oldest first. */
  journals(): Promise<readonly SourceJournal[]>;
  /** The current ends of all journals. */
  ends(): Promise<Positions>;
  close?(): Promise<void>;
}

/** Lines in one piece. */
const PIECE = 1_000;

/** The journals of a folder on this machine, even while other processes write them. */
export function folderSource(folder: string): JournalSource {
  return {
    // oxlint-disable-next-line typescript/require-await -- errors must come as rejections
    async journals() {
      return journalsIn(folder).map(folderJournal);
    },
    // oxlint-disable-next-line typescript/require-await -- errors must come as rejections
    async ends() {
      const ends: Positions = new Map();
      for (const { name, parts } of journalsIn(folder)) {
        const last = parts.at(-1);
        if (last) ends.set(name, { part: last.part, offset: wholeSize(last.path) });
      }
      return ends;
    },
  };
}

function folderJournal(files: JournalFiles): SourceJournal {
  const { name, writer, isOpen, parts } = files;
  return {
    name,
    writer,
    isOpen,
    // oxlint-disable-next-line typescript/require-await -- errors must come as rejections
    async anchor() {
      return readAnchor(files.anchor);
    },
    // oxlint-disable-next-line typescript/require-await -- of the same shape as that of a database
    async *lines(from) {
      for (const { part, path } of parts) {
        if (part < (from?.part ?? 0)) continue;
        const offset = part === from?.part ? from.offset : 0;
        if (offset > 0 && (sizeOf(path) ?? 0) <= offset) continue;
        for (const lines of piecesOf(path, offset)) yield { part, lines };
      }
    },
    // oxlint-disable-next-line typescript/require-await -- errors must come as rejections
    async near(n) {
      return nearLine(parts, n);
    },
  };
}

function* piecesOf(path: string, offset: number): Iterable<Line[]> {
  let lines: Line[] = [];
  try {
    for (const line of readLines(path, offset)) {
      lines.push(line);
      if (lines.length < PIECE) continue;
      yield lines;
      lines = [];
    }
  } catch (error) {
    // The file was deleted for its age in the meantime.
    if (!isMissing(error)) throw error;
  }
  if (lines.length > 0) yield lines;
}

/** Bytes of a file up to its last line feed. */
function wholeSize(path: string): number {
  const size = sizeOf(path) ?? 0;
  let whole = 0;
  for (const { end, isWhole } of readLines(path)) if (isWhole) whole = end;
  return Math.min(whole, size);
}
