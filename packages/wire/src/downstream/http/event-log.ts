/** The events of one stream, for clients that reconnect. */

import type { Text } from '../../rpc/stream/long-text.js';
import type { EventMemory } from './event-memory.js';

export interface LoggedEvent {
  readonly id: string;
  readonly data: Text;
}

const MAX_EVENTS = 1_000;
const MAX_LENGTH = 1024 * 1024;

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

/** The stream of an event id. */
export function streamOf(eventId: string): string {
  return eventId.slice(0, Math.max(0, eventId.lastIndexOf('-')));
}

function numberOf(eventId: string): number {
  return Number(eventId.slice(eventId.lastIndexOf('-') + 1));
}
