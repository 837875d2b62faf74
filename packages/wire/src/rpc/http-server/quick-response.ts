/** The response to a usual request. A short one is written at once, without Node's HTTP server. */

import { ServerResponse, STATUS_CODES, type IncomingMessage } from 'node:http';
import type { Socket } from 'node:net';

import type { HeaderList, Responder } from './responder.js';

/** Call `onDisconnect` when the socket is closed. */
export class QuickResponse implements Responder {
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
      // The client has disconnected. Then Node does not wait until everything is sent.
      if (this.#socket.destroyed) return;
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
