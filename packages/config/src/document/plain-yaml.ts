/**
 * Reads plain YAML fast: block maps and lists with values on one line. It refuses everything else, so a caller
 * then uses a full parser. A value that it returns is the one that a full parser returns.
 */

import { BlockLines } from './block-lines.js';
import { NOT_PLAIN, plainScalar, quotedEnd, quotedText } from './yaml-scalar.js';

/** Keys with a special meaning in JavaScript. The full parser reports them. */
const RESERVED: ReadonlySet<string> = new Set(['__proto__', 'constructor', 'prototype']);
const MAX_DEPTH = 100;
/** YAML allows no longer key on one line. */
const MAX_KEY = 1000;
const [COLON, DASH, SPACE] = [0x3a, 0x2d, 0x20];

/** A full parser is needed. */
class Refusal extends Error {}

/** `undefined`: the text is not plain YAML, and may have errors. */
export function readPlainYaml(text: string): { readonly value: unknown } | undefined {
  // A lone carriage return is a line break, too.
  if (/\r(?!\n)/.test(text)) return undefined;
  try {
    return { value: new PlainYaml(text).read() };
  } catch (error) {
    if (error instanceof Refusal) return undefined;
    throw error;
  }
}

class PlainYaml {
  readonly #text: string;
  readonly #lines: BlockLines;
  #depth = 0;

  constructor(text: string) {
    this.#text = text;
    this.#lines = new BlockLines(text);
  }

  read(): unknown {
    const value = this.#block(0);
    if (value === null || this.#lines.next()) throw new Refusal();
    return value;
  }

  /** A map or a list whose lines start at this column or later. Without lines it is null. */
  #block(column: number): unknown {
    const lines = this.#lines;
    if (!lines.next() || lines.column < column) return null;
    if (++this.#depth > MAX_DEPTH) throw new Refusal();
    const value = this.#isItem() ? this.#list(lines.column) : this.#map(lines.column);
    this.#depth--;
    return value;
  }

  #map(column: number): Record<string, unknown> {
    const lines = this.#lines;
    const map: Record<string, unknown> = {};
    while (lines.next() && lines.column >= column) {
      // A deeper line continues the text before it, which only a full parser joins.
      if (lines.column > column || this.#isItem()) throw new Refusal();
      const colon = this.#keyEnd();
      if (colon === -1 || colon - lines.start > MAX_KEY) throw new Refusal();
      const key = this.#key(lines.start, colon);
      if (RESERVED.has(key) || Object.hasOwn(map, key)) throw new Refusal();
      map[key] = this.#member(colon + 1, column);
    }
    return map;
  }

  #list(column: number): unknown[] {
    const lines = this.#lines;
    const list: unknown[] = [];
    while (lines.next() && lines.column >= column) {
      // In a map, the next key may be at the same column as the list.
      if (!this.#isItem()) {
        if (lines.column === column) break;
        throw new Refusal();
      }
      if (lines.column > column) throw new Refusal();
      list.push(this.#item(column));
    }
    return list;
  }

  #item(column: number): unknown {
    const lines = this.#lines;
    const start = this.#skipSpaces(lines.start + 1);
    if (this.#isEmpty(start)) {
      lines.take();
      return this.#block(column + 1);
    }
    lines.moveTo(start);
    if (this.#isItem() || this.#keyEnd() !== -1) return this.#block(column + 1);
    return this.#scalar(start, column);
  }

  /** The value after a key. A list may start at the column of its key. */
  #member(from: number, column: number): unknown {
    const lines = this.#lines;
    const start = this.#skipSpaces(from);
    if (!this.#isEmpty(start)) return this.#scalar(start, column);
    lines.take();
    const isList = lines.next() && lines.column === column && this.#isItem();
    return isList ? this.#list(column) : this.#block(column + 1);
  }

  /** A value that starts on this line, below a parent at `column`. Takes the line. */
  #scalar(start: number, column: number): unknown {
    const lines = this.#lines;
    const text = this.#text;
    const first = text[start]!;
    if (first === '|') {
      const literal = lines.literal(text.slice(start, lines.end), column);
      if (literal === undefined) throw new Refusal();
      return literal;
    }
    if (first === '"' || first === "'") {
      const end = quotedEnd(text, start, lines.end);
      if (end === -1 || !this.#isEmpty(end)) throw new Refusal();
      lines.take();
      return this.#quoted(start, end);
    }
    const value = plainScalar(text.slice(start, lines.end));
    if (value === NOT_PLAIN) throw new Refusal();
    lines.take();
    return value;
  }

  /** The place of the colon that ends the key of this line, or -1. */
  #keyEnd(): number {
    const { start, end } = this.#lines;
    const text = this.#text;
    const first = text[start]!;
    if (first === '"' || first === "'") {
      const close = quotedEnd(text, start, end);
      return close !== -1 && this.#isColon(close, end) ? close : -1;
    }
    for (let at = text.indexOf(':', start); at !== -1 && at < end; at = text.indexOf(':', at + 1)) {
      if (this.#isColon(at, end)) return at;
    }
    return -1;
  }

  #isColon(at: number, end: number): boolean {
    const isEnd = at + 1 === end || this.#text.charCodeAt(at + 1) === SPACE;
    return at < end && this.#text.charCodeAt(at) === COLON && isEnd;
  }

  /** A key that a full parser would turn into another text, such as `0x10`, is refused. */
  #key(start: number, end: number): string {
    const first = this.#text[start]!;
    if (first === '"' || first === "'") return this.#quoted(start, end);
    const written = this.#text.slice(start, end);
    const value = plainScalar(written);
    const isText = typeof value === 'string' || typeof value === 'number';
    if (!isText || String(value) !== written) throw new Refusal();
    return written;
  }

  #quoted(start: number, end: number): string {
    const value = quotedText(this.#text.slice(start, end));
    if (value === undefined) throw new Refusal();
    return value;
  }

  /** Whether the line is an item of a list: a dash and a space, or a dash alone. */
  #isItem(): boolean {
    const { start, end } = this.#lines;
    if (this.#text.charCodeAt(start) !== DASH) return false;
    return start + 1 === end || this.#text.charCodeAt(start + 1) === SPACE;
  }

  /** Whether the rest of the line has no value. A comment is no value. */
  #isEmpty(from: number): boolean {
    const at = this.#skipSpaces(from);
    return at >= this.#lines.end || (this.#text[at] === '#' && this.#text[at - 1] === ' ');
  }

  #skipSpaces(from: number): number {
    let at = from;
    while (this.#text.charCodeAt(at) === SPACE) at++;
    return at;
  }
}
