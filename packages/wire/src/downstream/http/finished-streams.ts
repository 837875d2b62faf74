/** Streams whose requests are answered. Kept for a limited time, up to a limited size. */

import type { EventLog } from './event-log.js';

const REMEMBER_MS = 5 * 60_000;
const MAX_STREAMS = 256;
const MAX_LENGTH = 4 * 1024 * 1024;

export class FinishedStreams {
  readonly #logs = new Map<string, { readonly log: EventLog; readonly until: number }>();
  #length = 0;

  get(streamId: string): EventLog | undefined {
    return this.#logs.get(streamId)?.log;
  }

  add(log: EventLog): void {
    this.#logs.set(log.streamId, { log, until: Date.now() + REMEMBER_MS });
    this.#length += log.length;
    // The newest stream is kept, however long it is: its client may be reconnecting.
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

  #forget(streamId: string): void {
    this.#length -= this.get(streamId)?.length ?? 0;
    this.#logs.delete(streamId);
  }
}
