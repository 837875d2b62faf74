/** Writes lines to a stream: all lines of an event-loop turn together. Knows how much is unsent. */

import type { Writable } from 'node:stream';

import type { LongText } from './long-text.js';
import { sendAtTurnEnd } from './turn-end.js';

/**
 * Characters. In a long turn, the first lines are sent when there are this many, so that the other
 * end can start to work. Each later part is twice as long as the one before, so that a turn needs
 * few system calls.
 */
const FIRST = 1_000;

/** One per stream. All lines must go through it, or their order is lost. */
export class LineWriter {
  readonly #stream: Writable;
  #waiting: string[] = [];
  /** How many characters wait. */
  #length = 0;
  #isScheduled = false;
  /** How much is enough to be sent before the end of this turn. */
  #enough = FIRST;

  constructor(stream: Writable) {
    this.#stream = stream;
  }

  write(line: string): void {
    this.#waiting.push(line);
    this.#length += line.length + 1;
    if (!this.#isScheduled) {
      this.#isScheduled = true;
      // Not line by line: with many calls in flight, system calls would take most of the time.
      sendAtTurnEnd(this.#flush);
    }
    if (this.#length <= this.#enough) return;
    this.#enough *= 2;
    this.#pass();
  }

  /** Writes a long line without copying its body. */
  writeLong({ head, body, tail }: LongText): void {
    this.#pass(head);
    if (this.#stream.writable) this.#stream.write(body);
    this.write(tail);
  }

  /** Ends the stream after the lines that wait. */
  end(): void {
    if (this.#length > 0) this.#pass();
    this.#stream.end();
  }

  /** Bytes, roughly, that the other end has not read yet. */
  get backlog(): number {
    return this.#stream.writableLength + this.#length;
  }

  readonly #flush = (): void => {
    this.#isScheduled = false;
    this.#enough = FIRST;
    if (this.#length > 0) this.#pass();
  };

  /** `start`: the beginning of the next line. */
  #pass(start = ''): void {
    const lines = this.#waiting;
    this.#waiting = [];
    this.#length = 0;
    if (!this.#stream.writable) return;
    lines.push(start);
    const text = lines.join('\n');
    // All at once: a search in each line would copy the line first.
    const isSafe = lineBreaks(text) === lines.length - 1;
    this.#stream.write(isSafe ? text : lines.map((line) => oneLine(line)).join('\n'));
  }
}

function lineBreaks(text: string): number {
  let count = 0;
  for (let at = text.indexOf('\n'); at !== -1; at = text.indexOf('\n', at + 1)) count++;
  return count;
}

/**
 * A message on one line. Between tokens a line break is white space; within strings JSON has none.
 */
export function oneLine(json: string): string {
  const isOneLine = !json.includes('\n') && !json.includes('\r');
  return isOneLine ? json : json.replaceAll(/[\r\n]+/g, ' ');
}
