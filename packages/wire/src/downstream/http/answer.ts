/** One way back over HTTP: a plain JSON answer if that is all, an event stream as soon as there is more. */

import type { ServerResponse } from 'node:http';

import type { Text } from '../../long-text.js';
import { oneLine } from '../../one-line.js';

/** A reader who lets this much pile up is let go; it may come back and resume. */
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
  readonly #headers: Record<string, string | number>;
  #isStream = false;

  constructor(response: ServerResponse, headers: Readonly<Record<string, string>> = {}) {
    this.#response = response;
    this.#headers = { ...headers };
  }

  /** The same answer with more headers. */
  with(headers: Readonly<Record<string, string>>): this {
    Object.assign(this.#headers, headers);
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
    this.#headers['content-type'] = 'application/json';
    this.#headers['content-length'] = text.byteLength;
    const response = this.#response.writeHead(status, this.#headers);
    response.cork();
    response.write(text.head);
    response.write(text.body);
    response.end(text.tail);
  }

  text(status: number, type: string, text: string): void {
    if (!this.isOpen) return;
    // Short text is sent by Node together with the head; long text would be put together first.
    const body = text.length < LONG ? text : Buffer.from(text);
    this.#headers['content-type'] = type;
    this.#headers['content-length'] = Buffer.byteLength(body);
    this.#response.writeHead(status, this.#headers).end(body);
  }

  empty(status: number, headers: Readonly<Record<string, string>> = {}): void {
    if (!this.isOpen) return;
    this.#response.writeHead(status, { ...this.#headers, ...headers });
    this.#response.end();
  }

  /** Turns the answer into a stream of events. */
  startStream(): void {
    if (this.#isStream || !this.isOpen) return;
    this.#isStream = true;
    this.#response.writeHead(200, { ...this.#headers, ...SSE_HEADERS });
    this.#response.flushHeaders();
  }

  /** False if nobody reads any more. */
  event(data: string, id?: string): boolean {
    if (!this.isOpen) return false;
    // In a stream of events a line break would end the line.
    const line = oneLine(data);
    this.#response.write(
      `${id === undefined ? '' : `id: ${id}\n`}event: message\ndata: ${line}\n\n`,
    );
    return this.#keepsUp();
  }

  /** Anything else that a stream may hold, such as a comment. */
  raw(text: string): void {
    if (this.isOpen && this.#isStream) this.#response.write(text);
  }

  end(): void {
    if (this.isOpen) this.#response.end();
  }

  onClose(listener: () => void): void {
    this.#response.once('close', listener);
  }

  #keepsUp(): boolean {
    if (this.#response.writableLength <= MAX_BACKLOG) return true;
    this.#response.destroy();
    return false;
  }
}
