/** Writes lines to a stream: all lines of an event-loop turn together. Knows how much is unsent. */

import type { Writable } from 'node:stream';

import type { LongText } from './long-text.js';
import { oneLine } from './one-line.js';

/**
 * Characters. In a long turn, the first lines are sent when there are this many, so that the other
 * end can start to work. Each later part is twice as long as the one before, so that a turn needs
 * few system calls.
 */
const FIRST = 1_000;

/** One per stream. All lines must go through it, or their order is lost. */
export class LineWriter {
  readonly #stream: Writable;
  #waiting = '';
  #isScheduled = false;
  /** How much is enough to be sent before the end of this turn. */
  #enough = FIRST;

  constructor(stream: Writable) {
    this.#stream = stream;
  }

  write(line: string): void {
    this.#waiting += line.includes('\n') ? `${oneLine(line)}\n` : `${line}\n`;
    if (!this.#isScheduled) {
      this.#isScheduled = true;
      // Not line by line: with many calls in flight, system calls would take most of the time.
      setImmediate(this.#flush);
    }
    if (this.#waiting.length <= this.#enough) return;
    this.#enough *= 2;
    this.#pass();
  }

  /** Writes a long line without copying its body. */
  writeLong({ head, body, tail }: LongText): void {
    this.#waiting += head;
    this.#pass();
    if (this.#stream.writable) this.#stream.write(body);
    this.write(tail);
  }

  /** Bytes, roughly, that the other end has not read yet. */
  get backlog(): number {
    return this.#stream.writableLength + this.#waiting.length;
  }

  readonly #flush = (): void => {
    this.#isScheduled = false;
    this.#enough = FIRST;
    if (this.#waiting !== '') this.#pass();
  };

  #pass(): void {
    const text = this.#waiting;
    this.#waiting = '';
    if (this.#stream.writable) this.#stream.write(text);
  }
}
