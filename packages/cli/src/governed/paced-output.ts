/** Standard output for more than memory should hold: waits for the reader, and knows when it has gone. */

import { once } from 'node:events';

export class PacedOutput {
  readonly #stream: NodeJS.WriteStream;
  readonly #gone = new AbortController();

  constructor(stream: NodeJS.WriteStream) {
    this.#stream = stream;
    stream.on('error', () => this.#gone.abort());
  }

  /** Aborted when nobody reads any more, as behind `| head`. */
  get gone(): AbortSignal {
    return this.#gone.signal;
  }

  /** Resolves when there is room for more, or nobody to have it. */
  async ready(): Promise<void> {
    if (!this.#stream.writableNeedDrain || this.#gone.signal.aborted) return;
    await once(this.#stream, 'drain', { signal: this.#gone.signal }).catch(() => undefined);
  }
}
