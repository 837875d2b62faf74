/** Streams whose requests are answered: remembered for a while, and only so much of them. */

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
    // The newest one stays, however long it is: its client may be on the way.
    for (const streamId of this.#logs.keys()) {
      const isTooMuch = this.#logs.size > MAX_STREAMS || this.#length > MAX_LENGTH;
      if (!isTooMuch || streamId === log.streamId) break;
      this.#forget(streamId);
    }
  }

  /** Lets go of what is too old; they stand in the order in which they ended. */
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
