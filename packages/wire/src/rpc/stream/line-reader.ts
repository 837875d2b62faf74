/** Cuts a byte stream into lines. Holds at most one unfinished line, up to a limit. */

import { LONG_JSON } from '@callsign/core';

import { EDGE } from './edge-id.js';
import { LineBytes } from './line-bytes.js';
import { bytesPassed, textPassed } from './reclaim.js';
import { BEYOND_ASCII, CONTROL, TextBytes } from './text-bytes.js';

const NEWLINE = 10;
/** The byte order mark in UTF-8. */
const MARK = [0xef, 0xbb, 0xbf] as const;
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
  /** Called instead, if set, with a long line of ASCII characters. The bytes are not used again. */
  readonly onLongLine?: ((line: Buffer, hasControl: boolean) => void) | undefined;
  /** A line past the limit has ended, or counts as endless. It may still end later. */
  readonly onTooLong: (line: LongLine | 'endless') => void;
}

/** Give it every chunk in order, then call `end`. */
export class LineReader {
  readonly #options: LineReaderOptions;
  /** The line that is not complete yet. */
  readonly #line: LineBytes;
  /** How long it is. More than in `#line` if it is past the limit. */
  #length = 0;
  /** What the line contains so far, as `TextBytes.look` says. */
  #found = 0;
  /** The beginning and the end of a line past the limit. */
  #edges: { readonly head: Buffer; tail: Buffer } | undefined;
  #isEndless = false;

  constructor(options: LineReaderOptions) {
    this.#options = options;
    this.#line = new LineBytes(options.maxBytes);
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
    if (this.#length <= maxBytes) {
      // Each part is searched on arrival, so that a long line needs no long turn.
      this.#found |= new TextBytes(part).look(0, part.length);
      return this.#line.add(part);
    }
    if (this.#edges) this.#edges.tail = lastOf([this.#edges.tail, part]);
    else {
      const parts = [this.#line.take(), part];
      this.#edges = { head: firstOf(parts), tail: lastOf(parts) };
      this.#line.free();
    }
    if (this.#isEndless || this.#length <= ENDLESS * maxBytes) return;
    this.#isEndless = true;
    this.#options.onTooLong('endless');
  }

  #finish(part: Buffer): void {
    this.#keep(part);
    if (this.#edges) return this.#finishLong(this.#edges);
    const [line, found] = [this.#line.take(), this.#found];
    this.#length = this.#found = 0;
    if (this.#read(line, new TextBytes(line), 0, line.length, found) === 'kept') this.#line.keep();
    else this.#line.free();
  }

  /** `known`: what `look` returned for these bytes. Says whether they are still used. */
  #read(
    bytes: Buffer,
    text: TextBytes,
    start: number,
    to: number,
    known?: number,
  ): 'kept' | undefined {
    const from = bytes[start] === MARK[0] ? afterMark(bytes, start) : start;
    if (!this.#counts(bytes, from)) {
      if (to > from) this.#options.onSkipped?.(bytes.subarray(from, to));
      return undefined;
    }
    const found = known ?? text.look(from, to);
    const { onLongLine } = this.#options;
    if (onLongLine && to - from >= LONG_JSON && (found & BEYOND_ASCII) === 0) {
      // In one chunk, there may be other lines before and after it.
      const own = known === undefined ? Buffer.from(bytes.subarray(from, to)) : bytes;
      bytesPassed(own.length);
      onLongLine(own, (found & CONTROL) !== 0);
      return 'kept';
    }
    textPassed(to - from);
    const line = text.decode(from, to, found);
    if (line !== '' && line !== '\r') this.#options.onLine(line, (found & CONTROL) !== 0);
    return undefined;
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
