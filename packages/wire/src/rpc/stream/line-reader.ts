/** Cuts a byte stream into lines. Holds at most one unfinished line, up to a limit. */

import { EDGE } from './edge-id.js';

const NEWLINE = 10;
/** The byte order mark in UTF-8. */
const MARK = [0xef, 0xbb, 0xbf] as const;
/** A line past the limit is also reported, before its end, whenever it has become this many limits longer. */
const OFTEN = 8;

/** The part that is kept of a line past the limit. */
export interface LongLine {
  readonly head: string;
  readonly tail: string;
  /** So far, if it has not ended. */
  readonly bytes: number;
  readonly hasEnded: boolean;
}

/** Which lines are read, and who gets them. `maxBytes` is the limit for one line. */
export interface LineReaderOptions {
  readonly maxBytes: number;
  /**
   * The first byte of lines to read, after white space. Other lines are skipped unread. Default: all
   * lines are read.
   */
  readonly opening?: number;
  /** Called with every skipped line. */
  readonly onSkipped?: (line: Buffer) => void;
  readonly onLine: (line: string) => void;
  /** A line past the limit has ended, or has become very long and goes on. */
  readonly onTooLong: (line: LongLine) => void;
}

interface Edges {
  readonly head: Buffer;
  tail: Buffer;
}

/** Give it every chunk in order, then call `end`. */
export class LineReader {
  readonly #options: LineReaderOptions;
  /** The parts of the line that is not complete yet. */
  #parts: Buffer[] = [];
  /** How long it is. More than in `#parts` if it is past the limit. */
  #length = 0;
  /** The beginning and the end of a line past the limit. */
  #edges: Edges | undefined;
  /** The length at which the line is reported next. */
  #reportAt = 0;

  constructor(options: LineReaderOptions) {
    this.#options = options;
  }

  push(chunk: Buffer): void {
    let from = 0;
    for (;;) {
      const newline = chunk.indexOf(NEWLINE, from);
      if (newline === -1) break;
      this.#finish(chunk.subarray(from, newline));
      from = newline + 1;
    }
    if (from < chunk.length) this.#add(chunk.subarray(from));
  }

  /** The stream has ended. What is left is the last line. */
  end(): void {
    if (this.#length > 0) this.#finish(Buffer.alloc(0));
  }

  #add(part: Buffer): void {
    const { maxBytes } = this.#options;
    this.#length += part.length;
    if (this.#edges) this.#edges.tail = lastOf([this.#edges.tail, part]);
    else {
      this.#parts.push(part);
      if (this.#length <= maxBytes) return;
      this.#edges = { head: firstOf(this.#parts), tail: lastOf(this.#parts) };
      this.#parts = [];
      this.#reportAt = OFTEN * maxBytes;
    }
    if (this.#length <= this.#reportAt) return;
    this.#reportAt = this.#length + OFTEN * maxBytes;
    this.#reportLong(this.#edges, false);
  }

  #finish(part: Buffer): void {
    this.#add(part);
    if (this.#edges) return this.#finishLong(this.#edges);
    const line = this.#parts.length === 1 ? part : Buffer.concat(this.#parts, this.#length);
    this.#parts = [];
    this.#length = 0;
    const from = line[0] === MARK[0] ? afterMark(line) : 0;
    if (!this.#counts(line, from)) {
      if (line.length > from) this.#options.onSkipped?.(line.subarray(from));
      return;
    }
    const text = line.toString('utf8', from);
    if (text !== '' && text !== '\r') this.#options.onLine(text);
  }

  #finishLong(edges: Edges): void {
    const bytes = this.#length;
    this.#edges = undefined;
    this.#length = 0;
    if (this.#counts(edges.head, afterMark(edges.head))) this.#reportLong(edges, true, bytes);
  }

  #reportLong({ head, tail }: Edges, hasEnded: boolean, bytes: number = this.#length): void {
    // A character may be cut in two. That does not matter for finding an id.
    const [first, last] = [head.toString('utf8'), tail.toString('utf8')];
    this.#options.onTooLong({ head: first, tail: last, bytes, hasEnded });
  }

  /** Whether the line is one to read. */
  #counts(line: Buffer, from: number): boolean {
    const { opening } = this.#options;
    if (opening === undefined) return true;
    let at = from;
    while (line[at] === 32 || line[at] === 9 || line[at] === 13) at++;
    return line[at] === opening;
  }
}

/** Skips a byte order mark: some programs write one at the start of their output. */
function afterMark(line: Buffer): number {
  return MARK.every((byte, i) => line[i] === byte) ? MARK.length : 0;
}

/** Copies, so that a few bytes do not keep a large chunk in memory. */
function firstOf(parts: readonly Buffer[]): Buffer {
  const starts = parts.map((part) => part.subarray(0, EDGE));
  return Buffer.from(Buffer.concat(starts).subarray(0, EDGE));
}

function lastOf(parts: readonly Buffer[]): Buffer {
  const ends = parts.map((part) => part.subarray(-EDGE));
  return Buffer.from(Buffer.concat(ends).subarray(-EDGE));
}
