/** Reads the lines of a journal in pieces, so that a large file need not fit into memory. */

import { closeSync, existsSync, openSync, readSync } from 'node:fs';

import { isMissing } from '../record/trouble.js';
import { type JournalFiles, partPath, sizeOf } from './journal-folder.js';
import type { Position } from './position.js';

const PIECE_BYTES = 1024 * 1024;
const NEWLINE = 10;

/** One line of a journal, without its line feed. */
export interface Line {
  readonly text: string;
  /** Bytes from the start of the file to the end of this line, its line feed included. */
  readonly end: number;
  /** False if the file ends before the line feed. */
  readonly isWhole: boolean;
}

/** `from` must be the start of a line. */
export function* readLines(path: string, from = 0): Iterable<Line> {
  const file = openSync(path, 'r');
  try {
    let rest: Buffer = Buffer.alloc(0);
    let at = from;
    for (;;) {
      const piece = Buffer.allocUnsafe(PIECE_BYTES);
      const length = readSync(file, piece, 0, PIECE_BYTES, at + rest.length);
      if (length === 0) break;
      const bytes = Buffer.concat([rest, piece.subarray(0, length)]);
      let start = 0;
      for (let end = bytes.indexOf(NEWLINE); end !== -1; end = bytes.indexOf(NEWLINE, start)) {
        const text = bytes.toString('utf8', start, end);
        start = end + 1;
        yield { text, end: at + start, isWhole: true };
      }
      at += start;
      rest = bytes.subarray(start);
    }
    if (rest.length > 0) yield { text: rest.toString(), end: at + rest.length, isWhole: false };
  } finally {
    closeSync(file);
  }
}

/** One part of a journal, from a position on. */
export interface PartLines {
  readonly part: number;
  readonly lines: Iterable<Line>;
}

/**
 * The parts of a journal from a position on, while its process may write it: parts that it begins
 * meanwhile are read too, and no line is left out between two parts. So what an anchor knows that
 * was read before is there. Read the lines of each part to their end before the next part.
 */
export function* partsFrom(
  folder: string,
  { name, parts }: Pick<JournalFiles, 'name' | 'parts'>,
  from?: Position,
): Iterable<PartLines> {
  const last = parts.at(-1)?.part ?? 0;
  const hasPart = (part: number): boolean => existsSync(partPath(folder, name, part));
  const linesOf = (part: number): PartLines => {
    const offset = part === from?.part ? from.offset : 0;
    const hasNext = (): boolean => part < last || hasPart(part + 1);
    return { part, lines: linesOfPart(partPath(folder, name, part), offset, hasNext) };
  };
  for (const { part } of parts) if (part >= (from?.part ?? 0)) yield linesOf(part);
  for (let part = last + 1; hasPart(part); part++) yield linesOf(part);
}

/** A part that was deleted for its age in the meantime has no lines. */
function* linesOfPart(path: string, from: number, hasNext: () => boolean): Iterable<Line> {
  let at = from;
  try {
    for (;;) {
      // Nothing is added to a part that has a next one. Asked before reading, so that all is read.
      const isComplete = hasNext();
      let rest: Line | undefined;
      if ((sizeOf(path) ?? 0) > at) {
        for (const line of readLines(path, at)) {
          if (line.isWhole) {
            at = line.end;
            yield line;
          } else rest = line;
        }
      }
      if (!isComplete && hasNext()) continue;
      if (rest) yield rest;
      return;
    }
  } catch (error) {
    if (!isMissing(error)) throw error;
  }
}
