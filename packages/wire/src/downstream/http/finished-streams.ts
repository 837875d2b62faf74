/** Streams whose requests are answered. They are kept up to a limited time and size. */

import type { EventLog } from './event-log.js';

const REMEMBER_MS = 5 * 60_000;
const MAX_STREAMS = 256;
const MAX_LENGTH = 4 * 1024 * 1024;

interface Finished {
  readonly log: EventLog;
  readonly until: number;
  /** Its length when it ended. Its events may have been dropped since then. */
  readonly length: number;
}

export class FinishedStreams {
  readonly #logs = new Map<string, Finished>();
  #length = 0;

  get(streamId: string): EventLog | undefined {
    return this.#logs.get(streamId)?.log;
  }

  add(log: EventLog): void {
    const { length } = log;
    this.#logs.set(log.streamId, { log, length, until: Date.now() + REMEMBER_MS });
    this.#length += length;
    // The newest stream is always kept: its client may be reconnecting.
    for (const streamId of this.#logs.keys()) {
      const isTooMuch = this.#logs.size > MAX_STREAMS || this.#length > MAX_LENGTH;
      if (!isTooMuch || streamId === log.streamId) break;
      this.#forget(streamId);
    }
  }

  /** Removes expired streams. They are in the order in which they ended. */
  sweep(now: number = Date.now()): void {
    for (const [streamId, { until }] of this.#logs) {
      if (until > now) break;
      this.#forget(streamId);
    }
  }

  /** Drops everything when the session ends. */
  clear(): void {
    for (const streamId of this.#logs.keys()) this.#forget(streamId);
  }

  #forget(streamId: string): void {
    const found = this.#logs.get(streamId);
    if (!found) return;
    this.#length -= found.length;
    found.log.forget();
    this.#logs.delete(streamId);
  }
}
