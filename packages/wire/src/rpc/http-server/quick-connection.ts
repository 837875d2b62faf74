/** A connection whose usual requests are read and answered without Node's HTTP server. */

import type { Socket } from 'node:net';

import { isCutHead, readQuickHead, type QuickHead, type RequestHead } from './quick-request.js';
import { QuickResponse } from './quick-response.js';
import type { Responder } from './responder.js';

/** How long the rest of a request may take, before Node takes over. */
const BODY_MS = 20;
/** Bytes. Node reads the rest of a longer request. More bytes of several requests are a flood. */
const SHORT = 16 * 1024;
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
  /** Whether the client has sent very many requests at once. They are handled one by one. */
  #isFlooded = false;
  /** Whether the held bytes are read in the next turn. */
  #isDue = false;

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
    // The client did not wait for the answer. Its next request waits instead.
    if (this.#response || this.#isDue) return this.#hold(bytes);
    this.#read(bytes, isFirst);
  };

  /** Handles the first request in these bytes. Node gets several, unless they are very many. */
  #read(bytes: Buffer, isFirst: boolean): void {
    this.#held = undefined;
    clearTimeout(this.#waiting);
    const head = readQuickHead(bytes, this.#options.path, this.#head);
    const start = head?.text.length ?? 0;
    const end = head ? start + head.bodyLength : 0;
    if (!head || bytes.length < end) {
      const isAlone = bytes.length === start && isFirst;
      const isCut = this.#isFlooded && (head ? end <= SHORT : isCutHead(bytes));
      return isAlone || isCut ? this.#waitForRest(bytes) : this.#leave(bytes);
    }
    const hasMore = bytes.length > end;
    if (hasMore && bytes.length > SHORT) this.#isFlooded = true;
    if (hasMore && !this.#isFlooded) return this.#leave(bytes);
    if (hasMore) this.#hold(bytes.subarray(end));
    if (!this.#takes(head, bytes.subarray(start, end))) this.#leave(bytes);
  }

  /** Keeps bytes until the answer to the request before them is sent. */
  #hold(bytes: Buffer): void {
    this.#held = bytes;
    this.#socket.pause();
  }

  /** Some clients send the body right after the head. */
  #waitForRest(bytes: Buffer): void {
    this.#held = bytes;
    this.#waiting = setTimeout(() => this.#leave(bytes), BODY_MS);
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
    if (!this.#held) return;
    // One request per turn: a client that sends thousands at once must not delay others.
    this.#isDue = true;
    setImmediate(() => this.#readHeld());
  }

  #readHeld(): void {
    this.#isDue = false;
    if (!this.#held || this.#socket.destroyed) return;
    this.#socket.resume();
    this.#read(this.#held, false);
  }

  #leave(bytes: Buffer): void {
    const socket = this.#socket;
    // The client sends no more, so the request will never be complete.
    if (socket.readableEnded) return void socket.destroy();
    for (const [event, listener] of this.#listeners) socket.off(event, listener);
    socket.resume();
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
