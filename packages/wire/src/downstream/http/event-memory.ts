/**
 * Limits the events that sessions keep for clients that reconnect. The oldest stream goes first.
 */

/** The events of one stream. */
export interface Remembered {
  /** The number of characters that are kept. */
  readonly length: number;
  /** Drops the events. The stream can no longer be resumed. */
  forget(): void;
}

const MAX_LENGTH = 16 * 1024 * 1024;

export class EventMemory {
  readonly #maxLength: number;
  /** The stream that grew last comes last. */
  readonly #lengths = new Map<Remembered, number>();
  #total = 0;

  constructor(maxLength: number = MAX_LENGTH) {
    this.#maxLength = maxLength;
  }

  /** Call it after the events of a stream have changed. */
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

  /** Call it when a stream has ended or its events are dropped. */
  release(log: Remembered): void {
    this.#total -= this.#lengths.get(log) ?? 0;
    this.#lengths.delete(log);
  }
}
