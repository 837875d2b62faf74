/** Cuts a byte stream into lines. Holds at most one unfinished line, up to a limit. */

import { EDGE } from './edge-id.js';
import { textPassed } from './reclaim.js';
import { BEYOND_ASCII, CONTROL, TextBytes } from './text-bytes.js';

const NEWLINE = 10;
/** The byte order mark, in UTF-8 and as a character. */
const MARK = [0xef, 0xbb, 0xbf] as const;
const MARK_CHARACTER = '\uFEFF';
const NOT_BLANK = /[^ \t\r]/;
/** A line that exceeds the limit this many times counts as endless. */
const ENDLESS = 8;

/** The part that is kept of a line past the limit. */
export interface LongLine {
  readonly head: string;
  readonly tail: string;
  readonly bytes: number;
}

/** Which lines are read, and who gets them. `maxBytes` is the limit for one line. */
export interface LineReaderOptions {
  readonly maxBytes: number;
  /**
   * The first byte of lines to read, after white space. Other lines are skipped unread. Unset: all
   * lines are read.
   */
  readonly opening?: number;
  /** Called with every skipped line. */
  readonly onSkipped?: (line: Buffer) => void;
  /**
   * `hasControl`: whether the line has control characters, such as a carriage return at its end.
   */
  readonly onLine: (line: string, hasControl: boolean) => void;
  /** A line past the limit has ended, or counts as endless. It may still end later. */
  readonly onTooLong: (line: LongLine | 'endless') => void;
}

/** Give it every chunk in order, then call `end`. */
export class LineReader {
  readonly #options: LineReaderOptions;
  /**
   * The line that is not complete yet. Each part is checked and decoded on arrival, so that a long
   * line needs no long turn and no second copy.
   */
  #text = '';
  /** The rest of that line from the first part that is not ASCII: a part may end within a character. */
  #parts: Buffer[] = [];
  #length = 0;
  /** What the line contains so far, as `TextBytes.look` says. */
  #found = 0;
  /** The beginning and the end of a line past the limit. */
  #edges: { readonly head: Buffer; tail: Buffer } | undefined;
  #isEndless = false;

  constructor(options: LineReaderOptions) {
    this.#options = options;
  }

  push(chunk: Buffer): void {
    const text = new TextBytes(chunk);
    let from = 0;
    for (;;) {
      const newline = chunk.indexOf(NEWLINE, from);
      if (newline === -1) break;
      // Nearly every line is within one chunk. It is read there without a copy.
      if (this.#length === 0 && newline - from <= this.#options.maxBytes)
        this.#read(chunk, text, from, newline);
      else this.#finish(chunk.subarray(from, newline));
      from = newline + 1;
    }
    if (from < chunk.length) this.#keep(chunk.subarray(from));
  }

  /** The stream has ended. What is left is the last line. */
  end(): void {
    if (this.#length > 0) this.#finish(Buffer.alloc(0));
  }

  #keep(part: Buffer): void {
    const { maxBytes } = this.#options;
    this.#length += part.length;
    if (this.#length <= maxBytes) return this.#add(part);
    if (this.#edges) this.#edges.tail = lastOf([this.#edges.tail, part]);
    else {
      const [start, end] = [this.#text.slice(0, EDGE), this.#text.slice(-EDGE)];
      const parts = [...this.#parts, part];
      this.#edges = {
        head: firstOf([Buffer.from(start), ...parts]),
        tail: lastOf([Buffer.from(end), ...parts]),
      };
      this.#text = '';
      this.#parts = [];
    }
    if (this.#isEndless || this.#length <= ENDLESS * maxBytes) return;
    this.#isEndless = true;
    this.#options.onTooLong('endless');
  }

  #add(part: Buffer): void {
    const bytes = new TextBytes(part);
    const found = bytes.look(0, part.length);
    this.#found |= found;
    if ((this.#found & BEYOND_ASCII) !== 0) this.#parts.push(part);
    else this.#text += bytes.decode(0, part.length, found);
  }

  #finish(part: Buffer): void {
    this.#keep(part);
    if (this.#edges) return this.#finishLong(this.#edges);
    const [text, parts, found] = [this.#text, this.#parts, this.#found];
    textPassed(this.#length);
    this.#text = '';
    this.#parts = [];
    this.#length = this.#found = 0;
    const whole = parts.length === 0 ? text : text + Buffer.concat(parts).toString();
    const line = whole.startsWith(MARK_CHARACTER) ? whole.slice(1) : whole;
    const { opening } = this.#options;
    const isOne = opening === undefined || line.charCodeAt(line.search(NOT_BLANK)) === opening;
    if (isOne) this.#tell(line, found);
    else if (line !== '') this.#options.onSkipped?.(Buffer.from(line));
  }

  #read(bytes: Buffer, text: TextBytes, start: number, to: number): void {
    const from = bytes[start] === MARK[0] ? afterMark(bytes, start) : start;
    if (!this.#counts(bytes, from)) {
      if (to > from) this.#options.onSkipped?.(bytes.subarray(from, to));
      return;
    }
    const found = text.look(from, to);
    this.#tell(text.decode(from, to, found), found);
  }

  #tell(line: string, found: number): void {
    if (line !== '' && line !== '\r') this.#options.onLine(line, (found & CONTROL) !== 0);
  }

  #finishLong({ head, tail }: { readonly head: Buffer; readonly tail: Buffer }): void {
    const bytes = this.#length;
    const isSkipped = !this.#counts(head, afterMark(head, 0));
    this.#edges = undefined;
    this.#length = this.#found = 0;
    this.#isEndless = false;
    if (isSkipped) return;
    // A character may be cut in two. That does not matter for finding an id.
    this.#options.onTooLong({ head: head.toString('utf8'), tail: tail.toString('utf8'), bytes });
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
function afterMark(line: Buffer, from: number): number {
  return MARK.every((byte, i) => line[from + i] === byte) ? from + MARK.length : from;
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
