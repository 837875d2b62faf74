/** The events of streams, for clients that reconnect. All of them are limited in number and size. */

import type { Text } from '../../rpc/stream/long-text.js';

export interface LoggedEvent {
  readonly id: string;
  readonly data: Text;
}

const MAX_EVENTS = 1_000;
const MAX_LENGTH = 1024 * 1024;
/** Characters of all streams together. */
const MAX_MEMORY = 16 * 1024 * 1024;
/** Limits on finished streams of one session. */
const FINISHED_MS = 5 * 60_000;
const MAX_FINISHED = 256;
const MAX_FINISHED_LENGTH = 4 * 1024 * 1024;

/** Bounded in number and in size. The oldest events are dropped first. */
export class EventLog {
  readonly streamId: string;
  readonly #memory: EventMemory | undefined;
  #events: LoggedEvent[] = [];
  #length = 0;
  #last = 0;
  #isForgotten = false;

  /** `memory` limits the events of all streams together. */
  constructor(streamId: string, memory?: EventMemory) {
    this.streamId = streamId;
    this.#memory = memory;
  }

  /** Whether all events were dropped, so that the stream cannot be resumed. */
  get isForgotten(): boolean {
    return this.#isForgotten;
  }

  /** Drops all events. */
  forget(): void {
    this.#isForgotten = true;
    this.#events = [];
    this.#length = 0;
    this.#memory?.release(this);
  }

  /** The number of characters that are kept. */
  get length(): number {
    return this.#length;
  }

  /** Whether there ever was an event. Only then does the client know an id to resume from. */
  get hasEvents(): boolean {
    return this.#last > 0;
  }

  /** Stores an event and returns its id. The newest event is kept even if it exceeds the limit. */
  add(data: Text): string {
    const id = `${this.streamId}-${++this.#last}`;
    this.#events.push({ id, data });
    this.#length += data.length;
    while (
      this.#events.length > MAX_EVENTS ||
      (this.#length > MAX_LENGTH && this.#events.length > 1)
    ) {
      this.#length -= this.#events.shift()!.data.length;
    }
    this.#memory?.changed(this);
    return id;
  }

  /** The events after this one that are still kept; `undefined` if there was no such event. */
  after(id: string): readonly LoggedEvent[] | undefined {
    const number = numberOf(id);
    if (!(number >= 0 && number <= this.#last)) return undefined;
    return this.#events.filter((event) => numberOf(event.id) > number);
  }
}

/** The events of one stream. */
export interface StoredEvents {
  /** The number of characters that are kept. */
  readonly length: number;
  /** Drops the events. The stream can no longer be resumed. */
  forget(): void;
}

/** Limits the events that all sessions keep together. The oldest stream goes first. */
export class EventMemory {
  readonly #maxLength: number;
  /** The stream that grew last comes last. */
  readonly #lengths = new Map<StoredEvents, number>();
  #total = 0;

  constructor(maxLength: number = MAX_MEMORY) {
    this.#maxLength = maxLength;
  }

  /** Call it after the events of a stream have changed. */
  changed(log: StoredEvents): void {
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
  release(log: StoredEvents): void {
    this.#total -= this.#lengths.get(log) ?? 0;
    this.#lengths.delete(log);
  }
}

interface Finished {
  readonly log: EventLog;
  readonly until: number;
  /** Its length when it ended. Its events may have been dropped since then. */
  readonly length: number;
}

/** The streams of one session whose requests are answered. */
export class FinishedStreams {
  readonly #logs = new Map<string, Finished>();
  #length = 0;

  get(streamId: string): EventLog | undefined {
    return this.#logs.get(streamId)?.log;
  }

  add(log: EventLog): void {
    const { length } = log;
    this.#logs.set(log.streamId, { log, length, until: Date.now() + FINISHED_MS });
    this.#length += length;
    // The newest stream is always kept: its client may be reconnecting.
    for (const streamId of this.#logs.keys()) {
      const isTooMuch = this.#logs.size > MAX_FINISHED || this.#length > MAX_FINISHED_LENGTH;
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

/** The stream of an event id. */
export function streamOf(eventId: string): string {
  return eventId.slice(0, Math.max(0, eventId.lastIndexOf('-')));
}

function numberOf(eventId: string): number {
  return Number(eventId.slice(eventId.lastIndexOf('-') + 1));
}
