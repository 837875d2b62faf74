/** An HTTP response: plain JSON for a single reply, an event stream for more. */

import type { ServerResponse } from 'node:http';

import type { Text } from '../../stream/long-text.js';
import { oneLine } from '../../stream/one-line.js';

/** A client with this much unread data is disconnected. It may come back and resume. */
const MAX_BACKLOG = 16 * 1024 * 1024;

const LONG = 16 * 1024;

const SSE_HEADERS = {
  'content-type': 'text/event-stream',
  'cache-control': 'no-cache, no-transform',
  connection: 'keep-alive',
  'x-accel-buffering': 'no',
} as const;

export class Answer {
  readonly #response: ServerResponse;
  /** Names and values alternate: Node writes a list faster than an object. */
  readonly #headers: (string | number)[] = [];
  #isStream = false;

  constructor(response: ServerResponse, headers?: Readonly<Record<string, string>>) {
    this.#response = response;
    if (headers) this.with(headers);
  }

  /** Adds headers, none of which the response has yet. */
  with(headers: Readonly<Record<string, string>>): this {
    for (const name in headers) this.#headers.push(name, headers[name]!);
    return this;
  }

  get isStream(): boolean {
    return this.#isStream;
  }

  get isOpen(): boolean {
    return !this.#response.writableEnded && !this.#response.destroyed;
  }

  json(status: number, text: Text): void {
    if (typeof text === 'string') return this.text(status, 'application/json', text);
    if (!this.isOpen) return;
    const response = this.#writeHead(status, 'application/json', text.byteLength);
    response.cork();
    response.write(text.head);
    response.write(text.body);
    response.end(text.tail);
  }

  text(status: number, type: string, text: string): void {
    if (!this.isOpen) return;
    // Node sends short text together with the head. Long text would be copied first.
    const body = text.length < LONG ? text : Buffer.from(text);
    this.#writeHead(status, type, Buffer.byteLength(body)).end(body);
  }

  empty(status: number): void {
    if (this.isOpen) this.#response.writeHead(status, this.#headers).end();
  }

  /** Turns the response into an event stream. */
  startStream(): void {
    if (this.#isStream || !this.isOpen) return;
    this.#isStream = true;
    this.with(SSE_HEADERS).#response.writeHead(200, this.#headers).flushHeaders();
  }

  /** False if the client has disconnected. */
  event(data: string, id?: string): boolean {
    if (!this.isOpen) return false;
    // A line break would end the line of an event.
    const line = oneLine(data);
    this.#response.write(
      `${id === undefined ? '' : `id: ${id}\n`}event: message\ndata: ${line}\n\n`,
    );
    return this.#keepsUp();
  }

  /** Other content of a stream, such as a comment. */
  raw(text: string): void {
    if (this.isOpen && this.#isStream) this.#response.write(text);
  }

  end(): void {
    if (this.isOpen) this.#response.end();
  }

  onClose(listener: () => void): void {
    this.#response.once('close', listener);
  }

  #writeHead(status: number, type: string, length: number): ServerResponse {
    this.#headers.push('content-type', type, 'content-length', length);
    return this.#response.writeHead(status, this.#headers);
  }

  #keepsUp(): boolean {
    if (this.#response.writableLength <= MAX_BACKLOG) return true;
    this.#response.destroy();
    return false;
  }
}
