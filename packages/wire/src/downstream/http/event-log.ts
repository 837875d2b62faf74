/** What was sent on one stream, for a client that lost it and comes back for the rest. */

export interface LoggedEvent {
  readonly id: string;
  readonly data: string;
}

const MAX_EVENTS = 1_000;
const MAX_LENGTH = 1024 * 1024;

export class EventLog {
  readonly streamId: string;
  readonly #events: LoggedEvent[] = [];
  #length = 0;
  #last = 0;

  constructor(streamId: string) {
    this.streamId = streamId;
  }

  /** How much text is remembered. */
  get length(): number {
    return this.#length;
  }

  /** Remembers an event and gives it its id. The newest one is kept however long it is. */
  add(data: string): string {
    const id = `${this.streamId}-${++this.#last}`;
    this.#events.push({ id, data });
    this.#length += data.length;
    while (
      this.#events.length > MAX_EVENTS ||
      (this.#length > MAX_LENGTH && this.#events.length > 1)
    ) {
      this.#length -= this.#events.shift()!.data.length;
    }
    return id;
  }

  /** Everything after an event, or all that is left if that one is forgotten; `undefined` if it never was. */
  after(id: string): readonly LoggedEvent[] | undefined {
    const number = numberOf(id);
    if (!(number >= 0 && number <= this.#last)) return undefined;
    return this.#events.filter((event) => numberOf(event.id) > number);
  }
}

/** The stream to which an event id belongs. */
export function streamOf(eventId: string): string {
  return eventId.slice(0, Math.max(0, eventId.lastIndexOf('-')));
}

function numberOf(eventId: string): number {
  return Number(eventId.slice(eventId.lastIndexOf('-') + 1));
}
