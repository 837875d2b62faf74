/** A connection whose usual requests are read and answered without Node's HTTP server. */

import { ServerResponse, STATUS_CODES, type IncomingMessage } from 'node:http';
import type { Socket } from 'node:net';

import { readQuickHead, type QuickHead, type RequestHead } from './quick-request.js';
import type { HeaderList, Responder } from './responder.js';

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
    const socket = this.#socket;
    socket.setTimeout(this.#options.headersTimeout);
    socket.on('data', this.#onData);
    socket.on('end', this.#onEnd);
    socket.on('timeout', this.#onTimeout);
    socket.on('error', this.#onError);
    socket.on('drain', this.#onDrain);
    socket.on('close', this.#onClose);
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
    socket.off('data', this.#onData);
    socket.off('end', this.#onEnd);
    socket.off('timeout', this.#onTimeout);
    socket.off('error', this.#onError);
    socket.off('drain', this.#onDrain);
    socket.off('close', this.#onClose);
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

  readonly #onDrain = (): void => this.#response?.onDrain();

  readonly #onClose = (): void => {
    clearTimeout(this.#waiting);
    this.#response?.onDisconnect();
  };
}

/** The response to one quick request. */
class QuickResponse implements Responder {
  readonly #socket: Socket;
  /** The value of the `Keep-Alive` header. */
  readonly #keepAlive: string;
  readonly #onAnswered: () => void;
  readonly #listeners: (() => void)[] = [];
  /** Set for a response that is sent in parts. */
  #parts: ServerResponse | undefined;
  #isOver = false;

  constructor(socket: Socket, keepAlive: string, onAnswered: () => void) {
    this.#socket = socket;
    this.#keepAlive = keepAlive;
    this.#onAnswered = onAnswered;
  }

  get isOpen(): boolean {
    return !this.#isOver && !this.#socket.destroyed && this.#parts?.writableEnded !== true;
  }

  send(status: number, headers: HeaderList, text: string): void {
    let head = `HTTP/1.1 ${status} ${STATUS_CODES[status]}\r\n`;
    for (let i = 0; i < headers.length; i += 2) head += `${headers[i]}: ${headers[i + 1]}\r\n`;
    const keepAlive = `Connection: keep-alive\r\nKeep-Alive: ${this.#keepAlive}`;
    this.#socket.write(`${head}Date: ${dateNow()}\r\n${keepAlive}\r\n\r\n${text}`);
    this.#end();
  }

  begin(status: number, headers: HeaderList): ServerResponse {
    // Node writes the head of a response as the method and the version of its request need it.
    const request = { method: 'POST', httpVersionMajor: 1, httpVersionMinor: 1, headers: {} };
    const parts = new ServerResponse(request as IncomingMessage);
    this.#parts = parts;
    parts.assignSocket(this.#socket);
    parts.once('finish', () => {
      parts.detachSocket(this.#socket);
      this.#end();
    });
    const keepAlive = ['Connection', 'keep-alive', 'Keep-Alive', this.#keepAlive];
    const more = headers.includes('connection') ? [] : ['Date', dateNow(), ...keepAlive];
    return parts.writeHead(status, [...headers, ...more]);
  }

  onClose(listener: () => void): void {
    this.#listeners.push(listener);
  }

  onDrain(): void {
    this.#parts?.emit('drain');
  }

  onDisconnect(): void {
    this.#isOver = true;
    for (const listener of this.#listeners) listener();
  }

  #end(): void {
    this.#isOver = true;
    this.#onAnswered();
    process.nextTick(() => {
      for (const listener of this.#listeners) listener();
    });
  }
}

let date = '';
let dateUntil = 0;

/** The value of the `Date` header, which changes every second. */
function dateNow(): string {
  const now = Date.now();
  if (now >= dateUntil || now < dateUntil - 1_000) {
    date = new Date(now).toUTCString();
    dateUntil = now - (now % 1_000) + 1_000;
  }
  return date;
}
