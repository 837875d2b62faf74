/** Reads the lines of a file in pieces, so that a large file need not fit into memory. */

import { closeSync, openSync, readSync } from 'node:fs';

const PIECE_BYTES = 1024 * 1024;
const NEWLINE = 10;

/** One line of a journal, without its line feed. */
export interface Line {
  readonly text: string;
  /** Bytes from the start of the file to the end of this line, its line feed included. */
  readonly end: number;
  /** False: the file ends before the line feed. */
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
