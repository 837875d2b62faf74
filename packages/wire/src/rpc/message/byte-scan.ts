/**
 * Scans JSON while it is still bytes. For long messages: to make a text of them takes V8 several
 * milliseconds at once. Accepts the same as `JsonScan`. The grammar is written twice on purpose: code
 * for both would read every character through a call, and most messages are short texts.
 */

import { MAX_DEPTH, NOWHERE, type Slices } from '@callsign/core';

const QUOTE = 34;
const PLUS = 43;
const COMMA = 44;
const MINUS = 45;
const DOT = 46;
const ZERO = 48;
const COLON = 58;
const OPEN_BRACKET = 91;
const BACKSLASH = 92;
const CLOSE_BRACKET = 93;
const LETTER_U = 117;
const OPEN_BRACE = 123;
const CLOSE_BRACE = 125;
const SPACE = 32;
const WORDS: readonly Buffer[] = ['true', 'false', 'null'].map((word) => Buffer.from(word));
const ESCAPED: ReadonlySet<number> = new Set(Buffer.from('"\\/bfnrt'));
/** Bytes after an escape that are read one by one. */
const NEAR = 8;
/** Bytes between two pauses. */
const SLICE = 32 * 1024;

/** Reads a value and returns its end. `key` is `undefined` if it is not plain text. */
type ReadMember = (key: string | undefined, start: number) => Slices<number>;

/** A scan of one text. It only goes forward. Positions are in bytes. */
export class ByteScan {
  readonly bytes: Buffer;
  readonly #hasControl: boolean;
  #backslash: number;

  /** `hasControl`: whether there are control characters. */
  constructor(bytes: Buffer, hasControl: boolean) {
    this.bytes = bytes;
    this.#hasControl = hasControl;
    this.#backslash = bytes.indexOf(BACKSLASH);
  }

  /** The end of the value that starts here; `NOWHERE` if it is not valid. */
  *skipValue(start: number): Slices<number> {
    const { bytes } = this;
    const inside = new Uint8Array(MAX_DEPTH);
    let depth = 0;
    let at = start;
    let pauseAt = start + SLICE;
    for (;;) {
      if (at > pauseAt) {
        yield;
        pauseAt = at + SLICE;
      }
      const code = bytes[at];
      if (code === OPEN_BRACE || code === OPEN_BRACKET) {
        const isObject = code === OPEN_BRACE;
        at = this.skipSpace(at + 1);
        if (bytes[at] === (isObject ? CLOSE_BRACE : CLOSE_BRACKET)) at++;
        else {
          if (depth === MAX_DEPTH) return NOWHERE;
          inside[depth++] = isObject ? 1 : 0;
          if (isObject) at = this.#skipKey(at);
          if (at === NOWHERE) return NOWHERE;
          continue;
        }
      } else at = code === QUOTE ? this.#skipString(at) : this.#skipScalar(at);
      if (at === NOWHERE) return NOWHERE;
      // A value is complete: close the containers that end here, or go on to the next value.
      for (;;) {
        if (depth === 0) return at;
        const isObject = inside[depth - 1] === 1;
        at = this.skipSpace(at);
        const next = bytes[at++];
        if (next === COMMA) {
          at = this.skipSpace(at);
          if (isObject) at = this.#skipKey(at);
          if (at === NOWHERE) return NOWHERE;
          break;
        }
        if (next !== (isObject ? CLOSE_BRACE : CLOSE_BRACKET)) return NOWHERE;
        depth--;
      }
    }
  }

  /** The end of the object that starts here. `read` reads the value of each member. */
  *visitObject(start: number, read: ReadMember): Slices<number> {
    const { bytes } = this;
    if (bytes[start] !== OPEN_BRACE) return NOWHERE;
    let at = this.skipSpace(start + 1);
    if (bytes[at] === CLOSE_BRACE) return at + 1;
    for (;;) {
      const value = this.#skipKey(at);
      if (value === NOWHERE) return NOWHERE;
      const end = yield* read(this.#keyAt(at), value);
      if (end === NOWHERE) return NOWHERE;
      at = this.skipSpace(end);
      const next = bytes[at++];
      if (next === CLOSE_BRACE) return at;
      if (next !== COMMA) return NOWHERE;
      at = this.skipSpace(at);
    }
  }

  skipSpace(start: number): number {
    let at = start;
    for (;;) {
      const code = this.bytes[at];
      if (code !== SPACE && code !== 10 && code !== 13 && code !== 9) return at;
      at++;
    }
  }

  #keyAt(start: number): string | undefined {
    const end = this.bytes.indexOf(QUOTE, start + 1);
    const key = this.bytes.toString('latin1', start + 1, end);
    return key.includes('\\') ? undefined : key;
  }

  /** From the start of a member's key to the start of its value. */
  #skipKey(start: number): number {
    const end = this.#skipString(start);
    if (end === NOWHERE) return NOWHERE;
    const at = this.skipSpace(end);
    return this.bytes[at] === COLON ? this.skipSpace(at + 1) : NOWHERE;
  }

  /** Searches natively, but reads a few bytes one by one behind an escape: others are often near. */
  #skipString(start: number): number {
    const { bytes } = this;
    if (bytes[start] !== QUOTE) return NOWHERE;
    let at = start + 1;
    let quote = start;
    let nearUntil = 0;
    for (let code = bytes[at]; code !== QUOTE; code = bytes[at]) {
      if (code === BACKSLASH) {
        at = this.#skipEscape(at);
        if (at === NOWHERE) return NOWHERE;
        nearUntil = at + NEAR;
      } else if (at < nearUntil && code !== undefined) at++;
      else {
        // Each of the two is searched again only behind the last one that was found.
        if (quote < at) quote = bytes.indexOf(QUOTE, at);
        if (quote === -1) return NOWHERE;
        if (this.#backslash !== -1 && this.#backslash < at)
          this.#backslash = bytes.indexOf(BACKSLASH, at);
        at = this.#backslash === -1 ? quote : Math.min(quote, this.#backslash);
      }
    }
    return this.#hasControl && this.#hasControlIn(start, at) ? NOWHERE : at + 1;
  }

  #skipEscape(start: number): number {
    const code = this.bytes[start + 1]!;
    if (ESCAPED.has(code)) return start + 2;
    if (code !== LETTER_U) return NOWHERE;
    for (let at = start + 2; at < start + 6; at++) if (!isHex(this.bytes[at]!)) return NOWHERE;
    return start + 6;
  }

  #hasControlIn(start: number, end: number): boolean {
    for (let at = start; at < end; at++) if (this.bytes[at]! < SPACE) return true;
    return false;
  }

  #skipScalar(start: number): number {
    const word = WORDS.find((each) => this.bytes[start] === each[0]);
    if (!word) return this.#skipNumber(start);
    const end = start + word.length;
    return this.bytes.compare(word, 0, word.length, start, end) === 0 ? end : NOWHERE;
  }

  #skipNumber(start: number): number {
    const { bytes } = this;
    let at = bytes[start] === MINUS ? start + 1 : start;
    at = bytes[at] === ZERO ? at + 1 : this.#skipDigits(at);
    if (at !== NOWHERE && bytes[at] === DOT) at = this.#skipDigits(at + 1);
    if (at === NOWHERE || (bytes[at]! | SPACE) !== 101) return at;
    const isSigned = bytes[at + 1] === PLUS || bytes[at + 1] === MINUS;
    return this.#skipDigits(at + (isSigned ? 2 : 1));
  }

  /** At least one. */
  #skipDigits(start: number): number {
    let at = start;
    while (isDigit(this.bytes[at]!)) at++;
    return at === start ? NOWHERE : at;
  }
}

function isDigit(code: number): boolean {
  return code >= ZERO && code <= 57;
}

function isHex(code: number): boolean {
  const lower = code | SPACE;
  return isDigit(code) || (lower >= 97 && lower <= 102);
}
