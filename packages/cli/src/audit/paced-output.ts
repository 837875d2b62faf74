/** Standard output for large data: waits for the reader, and stops when the reader has gone. */

import { once } from 'node:events';

export class PacedOutput {
  readonly #stream: NodeJS.WriteStream;
  readonly #gone = new AbortController();

  constructor(stream: NodeJS.WriteStream) {
    this.#stream = stream;
    stream.on('error', () => this.#gone.abort());
  }

  /** Aborted when the reader has gone, as with `| head`. */
  get gone(): AbortSignal {
    return this.#gone.signal;
  }

  /** Resolves when more can be written, or the reader has gone. */
  async ready(): Promise<void> {
    if (!this.#stream.writableNeedDrain || this.#gone.signal.aborted) return;
    await once(this.#stream, 'drain', { signal: this.#gone.signal }).catch(() => undefined);
  }
}
