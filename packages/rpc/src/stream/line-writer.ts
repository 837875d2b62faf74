/** Writes lines to a stream, several of one turn of the event loop together, and knows how much is waiting. */

import type { Writable } from 'node:stream';

import type { LongText } from './long-text.js';
import { oneLine } from './one-line.js';

/** Characters that are passed on at once, so that the other end can begin while we go on. */
const ENOUGH = 1_000;

export class LineWriter {
  readonly #stream: Writable;
  #waiting = '';
  #isScheduled = false;

  constructor(stream: Writable) {
    this.#stream = stream;
  }

  write(line: string): void {
    this.#waiting += line.includes('\n') ? `${oneLine(line)}\n` : `${line}\n`;
    if (this.#waiting.length > ENOUGH) return this.#pass();
    if (this.#isScheduled) return;
    this.#isScheduled = true;
    // Not each line by itself: at many calls in flight, system calls are what costs.
    setImmediate(this.#flush);
  }

  /** A long line, whose bytes are passed on as they are. */
  writeLong({ head, body, tail }: LongText): void {
    this.#waiting += head;
    this.#pass();
    if (this.#stream.writable) this.#stream.write(body);
    this.write(tail);
  }

  /** Bytes, nearly, that the other end has not taken yet. */
  get backlog(): number {
    return this.#stream.writableLength + this.#waiting.length;
  }

  readonly #flush = (): void => {
    this.#isScheduled = false;
    if (this.#waiting !== '') this.#pass();
  };

  #pass(): void {
    const text = this.#waiting;
    this.#waiting = '';
    if (this.#stream.writable) this.#stream.write(text);
  }
}
