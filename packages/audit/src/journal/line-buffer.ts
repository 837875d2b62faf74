/** Lines put together as bytes: numbers written digit by digit cost a fifth of what they cost as strings. */

import type { Block } from '../store/chain.js';

const NEWLINE = 10;
const MINUS = 45;
const ZERO = 48;
const LAST_OF_ASCII = 0x7f;
const SHORT = 8;
const ROOM_AT_FIRST = 4 * 1024;
/** Bytes that a character of a string may take. */
const WIDEST = 3;
/** Of a number that is written digit by digit. */
const LARGEST = 0x7fffffff;
const MOST_DIGITS = 10;

export class LineBuffer {
  #bytes: Buffer = Buffer.allocUnsafeSlow(ROOM_AT_FIRST);
  #length = 0;
  #lines = 0;
  #isAscii = true;

  /** In bytes. */
  get length(): number {
    return this.#length;
  }

  /** Between two lines. */
  beginLine(): void {
    if (this.#lines++ === 0) return;
    this.#makeRoom(1);
    this.#bytes[this.#length++] = NEWLINE;
  }

  text(text: string): void {
    this.#makeRoom(text.length * WIDEST);
    if (text.length <= SHORT && this.#isWritten(text)) return;
    const written = this.#bytes.write(text, this.#length);
    this.#length += written;
    if (written !== text.length) this.#isAscii = false;
  }

  /** An integer, with one character before it. */
  integer(before: number, value: number): void {
    this.#makeRoom(MOST_DIGITS + 2);
    const bytes = this.#bytes;
    bytes[this.#length++] = before;
    const size = Math.abs(value);
    if (size > LARGEST) return this.text(String(value));
    if (value < 0) bytes[this.#length++] = MINUS;
    let rest = size | 0;
    let at = (this.#length += digitsOf(rest));
    do {
      const tens = (rest / 10) | 0;
      bytes[--at] = ZERO + rest - tens * 10;
      rest = tens;
    } while (rest > 0);
  }

  /** What was put together, after which it is empty. */
  take(): Block {
    const body = this.#bytes.toString(this.#isAscii ? 'latin1' : 'utf8', 0, this.#length);
    const count = this.#lines;
    this.#length = 0;
    this.#lines = 0;
    this.#isAscii = true;
    return { count, body };
  }

  /** Letter by letter, if they are of ASCII: for a few of them, asking Node is what costs. */
  #isWritten(text: string): boolean {
    const bytes = this.#bytes;
    const start = this.#length;
    for (let at = 0; at < text.length; at++) {
      const code = text.charCodeAt(at);
      if (code > LAST_OF_ASCII) return false;
      bytes[start + at] = code;
    }
    this.#length = start + text.length;
    return true;
  }

  #makeRoom(more: number): void {
    const needed = this.#length + more;
    if (needed <= this.#bytes.length) return;
    const larger = Buffer.allocUnsafeSlow(Math.max(needed, this.#bytes.length * 2));
    this.#bytes.copy(larger, 0, 0, this.#length);
    this.#bytes = larger;
  }
}

function digitsOf(size: number): number {
  let digits = 1;
  for (let limit = 10; size >= limit; limit *= 10) digits++;
  return digits;
}
