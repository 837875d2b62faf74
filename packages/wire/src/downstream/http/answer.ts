/** An HTTP response: plain JSON for a single reply, an event stream for several messages. */

import type { ServerResponse } from 'node:http';

import { type Account, Outbox } from '../../rpc/http-server/outbox.js';
import type { Responder } from '../../rpc/http-server/responder.js';
import { LONG, type Text } from '../../rpc/stream/long-text.js';
import { oneLine } from '../../rpc/stream/one-line.js';
import { isDroppable } from '../droppable.js';

const SSE_HEADERS = {
  'content-type': 'text/event-stream',
  'cache-control': 'no-cache, no-transform',
  connection: 'keep-alive',
  'x-accel-buffering': 'no',
} as const;

/** Bytes. With more unread data, a client does not get notifications that can be dropped. */
const MAX_BACKLOG = 1024 * 1024;

/** Writes nothing after the response has ended or the client has disconnected. */
export class Answer {
  readonly #responder: Responder;
  readonly #headers: (string | number)[] = [];
  readonly #account: Account | undefined;
  /** Set once a response that is sent in parts has begun. */
  #parts: ServerResponse | undefined;
  #outbox: Outbox | undefined;
  #isStream = false;

  /** `account` counts the bytes that wait for the client. */
  constructor(responder: Responder, headers?: Readonly<Record<string, string>>, account?: Account) {
    this.#responder = responder;
    this.#account = account;
    if (headers) this.with(headers);
  }

  /** Adds headers. They must not be set already. */
  with(headers: Readonly<Record<string, string>>): this {
    for (const name in headers) this.#headers.push(name, headers[name]!);
    return this;
  }

  get isStream(): boolean {
    return this.#isStream;
  }

  get isOpen(): boolean {
    return this.#responder.isOpen && this.#outbox?.isEnding !== true;
  }

  json(status: number, text: Text): void {
    if (typeof text === 'string') return this.text(status, 'application/json', text);
    if (!this.isOpen) return;
    this.#describe('application/json', text.byteLength).#begin(status);
    const outbox = this.#sending();
    outbox.write(text.head);
    outbox.write(text.body, text);
    outbox.write(text.tail);
    outbox.end();
  }

  text(status: number, type: string, text: string): void {
    if (!this.isOpen) return;
    this.#describe(type, Buffer.byteLength(text));
    if (text.length < LONG) return this.#responder.send(status, this.#headers, text);
    this.#begin(status);
    const outbox = this.#sending();
    if (outbox.write(text)) outbox.end();
  }

  empty(status: number): void {
    if (!this.isOpen) return;
    if (status !== 204) this.#headers.push('content-length', 0);
    this.#responder.send(status, this.#headers, '');
  }

  /** Makes the response an event stream. */
  startStream(): void {
    if (this.#isStream || !this.isOpen) return;
    this.#isStream = true;
    this.with(SSE_HEADERS).#begin(200).flushHeaders();
  }

  /** Whether the client reads too slowly to get this event. */
  drops(data: Text): boolean {
    return (this.#outbox?.backlog ?? 0) > MAX_BACKLOG && isDroppable(data);
  }

  /** Sends an event. False: the client has disconnected, or reads too slowly. */
  event(data: Text, id?: string): boolean {
    if (!this.isOpen || this.drops(data)) return false;
    const head = `${id === undefined ? '' : `id: ${id}\n`}event: message\ndata: `;
    const outbox = this.#sending();
    if (typeof data !== 'string') {
      const isSent = outbox.write(head + data.head) && outbox.write(data.body, data);
      return isSent && outbox.write(`${data.tail}\n\n`);
    }
    // A line break would end the data of the event.
    const line = oneLine(data);
    if (line.length < LONG) return outbox.write(`${head}${line}\n\n`);
    return outbox.write(head) && outbox.write(line) && outbox.write('\n\n');
  }

  /** Sends other text on a stream, such as a comment. Skipped if earlier text still waits. */
  raw(text: string): void {
    if (this.isOpen && this.#isStream && this.#outbox?.isEmpty !== false) this.#parts?.write(text);
  }

  end(): void {
    if (this.isOpen) this.#sending().end();
  }

  onClose(listener: () => void): void {
    this.#responder.onClose(listener);
  }

  #describe(type: string, length: number): this {
    this.#headers.push('content-type', type, 'content-length', length);
    return this;
  }

  #begin(status: number): ServerResponse {
    return (this.#parts = this.#responder.begin(status, this.#headers));
  }

  #sending(): Outbox {
    return (this.#outbox ??= new Outbox(this.#parts ?? this.#begin(200), this.#account));
  }
}
