/** A connection whose usual requests are read and answered without Node's HTTP server. */

import type { Socket } from 'node:net';

import { readQuickHead, type QuickHead, type RequestHead } from './quick-request.js';
import { QuickResponse } from './quick-response.js';
import type { Responder } from './responder.js';

/** How long a body that comes after its head may take, before Node takes over. */
const BODY_MS = 20;
/** A client that uses an idle connection at the last moment should not find it closed. */
const GRACE_MS = 1_000;

/** Handles a request. False: it has not begun, and Node should read it. */
export type TakesQuick = (request: RequestHead, body: Buffer, responder: Responder) => boolean;

/** Times in milliseconds. */
export interface QuickConnectionOptions {
  /** The path of usual requests. */
  readonly path: string;
  /** How long a new connection may be silent. */
  readonly headersTimeout: number;
  /** How long it may be silent between two requests. */
  readonly keepAliveTimeout: number;
  readonly takes: TakesQuick;
  /** Gives the connection to Node's HTTP server, for good. */
  readonly toNode: (socket: Socket) => void;
}

/** Handles one request at a time, until one comes that is not usual. */
export class QuickConnection {
  readonly #socket: Socket;
  readonly #options: QuickConnectionOptions;
  readonly #keepAlive: string;
  /** The last head: most clients send the same one again and again. */
  #head: QuickHead | undefined;
  /** Bytes that were received and not handled. */
  #held: Buffer | undefined;
  #waiting: NodeJS.Timeout | undefined;
  #response: QuickResponse | undefined;

  constructor(socket: Socket, options: QuickConnectionOptions) {
    this.#socket = socket;
    this.#options = options;
    this.#keepAlive = `timeout=${options.keepAliveTimeout / 1_000}`;
  }

  open(): void {
    this.#socket.setTimeout(this.#options.headersTimeout);
    for (const [event, listener] of this.#listeners) this.#socket.on(event, listener);
  }

  readonly #onData = (chunk: Buffer): void => {
    const isFirst = this.#held === undefined;
    const bytes = this.#held ? Buffer.concat([this.#held, chunk]) : chunk;
    if (this.#response) {
      // The client did not wait for the answer. Its next request waits instead.
      this.#held = bytes;
      this.#socket.pause();
      return;
    }
    this.#held = undefined;
    clearTimeout(this.#waiting);
    const head = readQuickHead(bytes, this.#options.path, this.#head);
    if (!head) return this.#leave(bytes);
    const start = head.text.length;
    const end = start + head.bodyLength;
    if (bytes.length === start && bytes.length < end && isFirst) this.#waitForBody(bytes);
    else if (bytes.length !== end || !this.#takes(head, bytes.subarray(start))) this.#leave(bytes);
  };

  /** Some clients send the body right after the head. */
  #waitForBody(head: Buffer): void {
    this.#held = head;
    this.#waiting = setTimeout(() => this.#leave(head), BODY_MS);
  }

  #takes(head: QuickHead, body: Buffer): boolean {
    if (!this.#head) this.#socket.setTimeout(this.#options.keepAliveTimeout + GRACE_MS);
    this.#head = head;
    const { path: url } = this.#options;
    const { headers, rawHeaders } = head;
    const response = new QuickResponse(this.#socket, this.#keepAlive, () => this.#onAnswered());
    this.#response = response;
    const request = { method: 'POST', url, headers, rawHeaders, socket: this.#socket };
    const isTaken = this.#options.takes(request, body, response);
    if (!isTaken) this.#response = undefined;
    return isTaken;
  }

  #onAnswered(): void {
    this.#response = undefined;
    const held = this.#held;
    if (!held) return;
    this.#held = undefined;
    this.#socket.resume();
    this.#leave(held);
  }

  #leave(bytes: Buffer): void {
    const socket = this.#socket;
    // The client sends no more, so the request will never be complete.
    if (socket.readableEnded) return void socket.destroy();
    for (const [event, listener] of this.#listeners) socket.off(event, listener);
    socket.setTimeout(0);
    this.#options.toNode(socket);
    socket.unshift(bytes);
  }

  /** The client closes the connection, and no longer waits for an answer. */
  readonly #onEnd = (): void => void this.#socket.end();

  readonly #onTimeout = (): void => {
    if (!this.#response) this.#socket.destroy();
  };

  readonly #onError = (): void => void this.#socket.destroy();

  readonly #onClose = (): void => {
    clearTimeout(this.#waiting);
    this.#response?.onDisconnect();
  };

  readonly #listeners: readonly (readonly [string, (chunk: Buffer) => void])[] = [
    ['data', this.#onData],
    ['end', this.#onEnd],
    ['timeout', this.#onTimeout],
    ['error', this.#onError],
    ['close', this.#onClose],
  ];
}
