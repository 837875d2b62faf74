/**
 * Text while it is still UTF-8 bytes. JSON allows no control characters inside strings, so every
 * message is searched for them. The same search shows whether it is all ASCII, which is decoded in
 * half the time.
 */

import { isAscii } from 'node:buffer';

/** The results of `look`, as bits. */
export const CONTROL = 1;
export const BEYOND_ASCII = 2;

/** Bytes. Node keeps longer Latin-1 texts outside of V8's heap, in memory that it does not give back. */
const OUTSIDE = 1_000_000;
/** Bytes. Up to here, ASCII is decoded as a whole. A part of the text keeps all of it in memory. */
const WHOLE = 16 * 1024;
// oxlint-disable-next-line no-control-regex -- exactly these
const CONTROLS = /[\u0000-\u001f]/;
// oxlint-disable-next-line no-control-regex -- all of them but the newline
const RARE_CONTROLS = /[\u0000-\u0009\u000b-\u001f]/;
const NO_WORDS = new Int32Array(0);
const SPACE = 0x20;
const HIGH_BIT = 0x80;
/** The same in each of four bytes. */
const SPACES = 0x20202020;
const HIGH_BITS = 0x80808080;

/** Views the bytes without a copy. The buffer must not change meanwhile. */
export class TextBytes {
  readonly #bytes: Buffer;
  /** The same bytes, four at a time. Words must start at multiples of four in memory. */
  readonly #words: Int32Array;
  /** Where the words start: at the first byte, or up to three bytes before it. */
  readonly #start: number;
  /** Whether lines are parts of one text, because it is faster to decode that once than each line. */
  readonly #isWhole: boolean;
  #whole: string | undefined;
  /** Whether the whole has control characters besides newlines. Found out once, not for each line. */
  #hasRare: boolean | undefined;

  constructor(bytes: Buffer) {
    const { buffer, byteOffset, length } = bytes;
    this.#bytes = bytes;
    this.#start = -(byteOffset & 3);
    this.#isWhole = length <= WHOLE && isAscii(bytes);
    this.#words = this.#isWhole
      ? NO_WORDS
      : new Int32Array(buffer, byteOffset + this.#start, (length - this.#start) >> 2);
  }

  /** What these bytes contain: nothing (0), `CONTROL`, `BEYOND_ASCII` or both. */
  look(from: number, to: number): number {
    if (this.#isWhole) return this.#hasControl(from, to) ? CONTROL : 0;
    const start = this.#start;
    const first = from + ((start - from) & 3);
    if (first + 4 > to) return this.#lookAtBytes(from, to);
    const last = (to - start) >> 2;
    const found = this.#lookAtWords((first - start) >> 2, last);
    return found | this.#lookAtBytes(from, first) | this.#lookAtBytes(start + last * 4, to);
  }

  /** The text of these bytes. `found` is what `look` returned for them. */
  decode(from: number, to: number, found: number): string {
    const bytes = this.#bytes;
    if (this.#isWhole) return this.#wholeText().slice(from, to);
    const isFast = (found & BEYOND_ASCII) === 0 && to - from < OUTSIDE;
    return bytes.toString(isFast ? 'latin1' : 'utf8', from, to);
  }

  #wholeText(): string {
    return (this.#whole ??= this.#bytes.toString('latin1'));
  }

  #hasControl(from: number, to: number): boolean {
    const whole = this.#wholeText();
    this.#hasRare ??= RARE_CONTROLS.test(whole);
    if (this.#hasRare) return CONTROLS.test(whole.slice(from, to));
    const newline = whole.indexOf('\n', from);
    return newline !== -1 && newline < to;
  }

  #lookAtWords(first: number, last: number): number {
    const words = this.#words;
    let less = 0;
    let all = 0;
    let at = first;
    // Four words at a time, because the loop itself costs the most.
    for (; at + 4 <= last; at += 4) {
      const a = words[at]!;
      const b = words[at + 1]!;
      const c = words[at + 2]!;
      const d = words[at + 3]!;
      less |= lessThanSpace(a) | lessThanSpace(b) | lessThanSpace(c) | lessThanSpace(d);
      all |= a | b | c | d;
    }
    for (; at < last; at++) {
      less |= lessThanSpace(words[at]!);
      all |= words[at]!;
    }
    const beyond = (all & HIGH_BITS) === 0 ? 0 : BEYOND_ASCII;
    return (less & HIGH_BITS) === 0 ? beyond : beyond | CONTROL;
  }

  #lookAtBytes(from: number, to: number): number {
    const bytes = this.#bytes;
    let found = 0;
    for (let at = from; at < to; at++) {
      const byte = bytes[at]!;
      if (byte < SPACE) found |= CONTROL;
      else if (byte >= HIGH_BIT) found |= BEYOND_ASCII;
    }
    return found;
  }
}

/**
 * Sets the highest bit of each control byte: subtracting a space borrows it. Bytes beyond ASCII
 * have that bit already.
 */
function lessThanSpace(word: number): number {
  return (word - SPACES) & ~word;
}
