/** Writes lines to a stream, those of one turn of the event loop together, and knows how much is waiting. */

import type { Writable } from 'node:stream';

export class LineWriter {
  readonly #stream: Writable;
  #waiting = '';
  #isScheduled = false;

  constructor(stream: Writable) {
    this.#stream = stream;
  }

  write(line: string): void {
    this.#waiting += line.includes('\n') ? `${oneLine(line)}\n` : `${line}\n`;
    if (this.#isScheduled) return;
    this.#isScheduled = true;
    // One write per turn: at many calls in flight, system calls are what costs.
    setImmediate(this.#flush);
  }

  /** Bytes, nearly, that the other end has not taken yet. */
  get backlog(): number {
    return this.#stream.writableLength + this.#waiting.length;
  }

  readonly #flush = (): void => {
    this.#isScheduled = false;
    const text = this.#waiting;
    this.#waiting = '';
    if (this.#stream.writable) this.#stream.write(text);
  };
}

/** Between tokens a line break is white space; within strings JSON has none. */
function oneLine(text: string): string {
  return text.replace(/[\r\n]+/g, ' ');
}
