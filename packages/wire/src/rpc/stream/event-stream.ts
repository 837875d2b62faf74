/**
 * Reads server-sent events from a byte stream. Holds at most one unfinished event, up to a limit.
 */

/** One event. */
export interface StreamEvent {
  /** `message` if the server did not name it. */
  readonly event: string;
  /** Empty if the server only set an id or a delay. */
  readonly data: string;
  readonly id: string | undefined;
  /** Milliseconds to wait before connecting again. */
  readonly retry: number | undefined;
}

export interface EventStreamOptions {
  readonly maxBytes: number;
  readonly onEvent: (event: StreamEvent) => void;
  /** An event passed the limit. Nothing after it is read. */
  readonly onTooLong: (bytes: number) => void;
}

const LF = 10;
const CR = 13;
const COLON = 58;
const SPACE = 32;
const BYTE_ORDER_MARK = Buffer.from([0xef, 0xbb, 0xbf]);

/** Give it every chunk in order. It stops for good after an event past the limit. */
export class EventStreamReader {
  readonly #options: EventStreamOptions;
  // Lines are joined as bytes, since a chunk may end within a character.
  #parts: Buffer[] = [];
  #partsLength = 0;
  #isFirstLine = true;
  #isAfterReturn = false;
  #isDone = false;
  #data: string[] = [];
  #dataLength = 0;
  #event = '';
  #id: string | undefined;
  #retry: number | undefined;
  #hasFields = false;

  constructor(options: EventStreamOptions) {
    this.#options = options;
  }

  /** Whether an event has begun and not ended. */
  get isInEvent(): boolean {
    return this.#hasFields;
  }

  push(chunk: Buffer): void {
    let from = 0;
    if (this.#isAfterReturn && chunk.length > 0) {
      this.#isAfterReturn = false;
      if (chunk[0] === LF) from = 1;
    }
    let lf = chunk.indexOf(LF, from);
    let cr = chunk.indexOf(CR, from);
    while (!this.#isDone) {
      // Keep the next position of each kind of line end: most streams have only one kind.
      if (lf !== -1 && lf < from) lf = chunk.indexOf(LF, from);
      if (cr !== -1 && cr < from) cr = chunk.indexOf(CR, from);
      const end = cr === -1 || (lf !== -1 && lf < cr) ? lf : cr;
      if (end === -1) break;
      this.#finishLine(chunk.subarray(from, end));
      from = end + 1;
      if (end !== cr) continue;
      if (from === chunk.length) this.#isAfterReturn = true;
      else if (chunk[from] === LF) from++;
    }
    if (from < chunk.length) this.#keep(chunk.subarray(from));
  }

  #keep(part: Buffer): void {
    if (this.#isDone) return;
    this.#partsLength += part.length;
    if (this.#partsLength + this.#dataLength <= this.#options.maxBytes) {
      this.#parts.push(part);
      return;
    }
    this.#isDone = true;
    this.#parts = [];
    this.#data = [];
    this.#options.onTooLong(this.#partsLength + this.#dataLength);
  }

  #finishLine(part: Buffer): void {
    this.#keep(part);
    if (this.#isDone) return;
    const { length } = this.#parts;
    let line = length === 1 ? this.#parts[0]! : Buffer.concat(this.#parts, this.#partsLength);
    this.#parts = [];
    this.#partsLength = 0;
    if (this.#isFirstLine) {
      this.#isFirstLine = false;
      if (line.subarray(0, 3).equals(BYTE_ORDER_MARK)) line = line.subarray(3);
    }
    if (line.length === 0) this.#dispatch();
    else if (line[0] !== COLON) this.#onField(line);
  }

  #onField(line: Buffer): void {
    const colon = line.indexOf(COLON);
    const name = line.toString('utf8', 0, colon === -1 ? line.length : colon);
    const start = colon === -1 ? line.length : colon + (line[colon + 1] === SPACE ? 2 : 1);
    const value = line.toString('utf8', start);
    if (name === 'data') {
      this.#data.push(value);
      this.#dataLength += line.length - start + 1;
    } else if (name === 'event') this.#event = value;
    else if (name === 'id' && !value.includes('\0')) this.#id = value;
    else if (name === 'retry' && /^\d{1,9}$/.test(value)) this.#retry = Number(value);
    else return;
    this.#hasFields = true;
  }

  /** Only a blank line ends an event, so a stream that breaks off never gives a partial one. */
  #dispatch(): void {
    if (!this.#hasFields) return;
    const event: StreamEvent = {
      event: this.#event === '' ? 'message' : this.#event,
      data: this.#data.length === 1 ? this.#data[0]! : this.#data.join('\n'),
      id: this.#id,
      retry: this.#retry,
    };
    this.#data = [];
    this.#dataLength = 0;
    this.#event = '';
    this.#id = undefined;
    this.#retry = undefined;
    this.#hasFields = false;
    this.#options.onEvent(event);
  }
}
