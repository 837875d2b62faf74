/**
 * The events that all sessions keep for clients that reconnect, and their limit. The oldest stream is dropped
 * first.
 */

/** A stream's events. */
export interface Remembered {
  /** The amount of text that is kept. */
  readonly length: number;
  /** Drops the events. The stream can no longer be resumed. */
  forget(): void;
}

const MAX_LENGTH = 16 * 1024 * 1024;

export class EventMemory {
  readonly #maxLength: number;
  /** The last that grew comes last. */
  readonly #lengths = new Map<Remembered, number>();
  #total = 0;

  constructor(maxLength: number = MAX_LENGTH) {
    this.#maxLength = maxLength;
  }

  /** Called after a stream's events have changed. */
  changed(log: Remembered): void {
    this.release(log);
    if (log.length === 0) return;
    this.#lengths.set(log, log.length);
    this.#total += log.length;
    for (const oldest of this.#lengths.keys()) {
      if (this.#total <= this.#maxLength) break;
      this.release(oldest);
      oldest.forget();
    }
  }

  /** The stream is over, or its events are dropped. */
  release(log: Remembered): void {
    this.#total -= this.#lengths.get(log) ?? 0;
    this.#lengths.delete(log);
  }
}
