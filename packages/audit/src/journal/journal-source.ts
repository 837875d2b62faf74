/** Where journals are read: in a folder, or those of all instances in a database. */

import type { Anchor } from './anchor.js';
import { type JournalFiles, journalsIn, sizeOf } from './journal-folder.js';
import { currentAnchor } from './anchor.js';
import { nearLine } from './near-line.js';
import type { Position, Positions } from './position.js';
import type { Flaw } from './verify-journal.js';
import { type Line, partsFrom, readLines } from './read-lines.js';

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
  /**
   * Compares the tables with the journals, and tells every difference. Missing if the tables are not
   * kept with the journals.
   */
  compareTables?(tell: (flaw: Flaw) => void): Promise<void>;
  close?(): Promise<void>;
}

/** Lines in one piece. */
const PIECE = 1_000;

/** The journals of a folder on this machine, even while other processes write them. */
export function folderSource(folder: string): JournalSource {
  return {
    // oxlint-disable-next-line typescript/require-await -- errors must come as rejections
    async journals() {
      return journalsIn(folder).map((files) => folderJournal(folder, files));
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

function folderJournal(folder: string, files: JournalFiles): SourceJournal {
  const { name, writer, parts } = files;
  // A list that was made while the anchor was renamed may have neither of its names.
  const isOpen = files.isOpen || files.anchor === undefined;
  return {
    name,
    writer,
    isOpen,
    // oxlint-disable-next-line typescript/require-await -- errors must come as rejections
    async anchor() {
      return currentAnchor(folder, name)?.anchor;
    },
    // oxlint-disable-next-line typescript/require-await -- of the same shape as that of a database
    async *lines(from) {
      for (const { part, lines } of partsFrom(folder, files, from)) {
        for (const piece of piecesOf(lines)) yield { part, lines: piece };
      }
    },
    // oxlint-disable-next-line typescript/require-await -- errors must come as rejections
    async near(n) {
      return nearLine(parts, n);
    },
  };
}

function* piecesOf(all: Iterable<Line>): Iterable<Line[]> {
  let lines: Line[] = [];
  for (const line of all) {
    lines.push(line);
    if (lines.length < PIECE) continue;
    yield lines;
    lines = [];
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
