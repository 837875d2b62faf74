/**
 * An HTTP response: plain JSON for a single reply, an event stream for several messages. Long text is
 * sent in pieces, so that a client that reads slowly costs little memory.
 */

import type { ServerResponse } from 'node:http';

import { errorJson } from '../../rpc/message/rpc-error.js';
import { errorText, isDroppable } from '../../rpc/message/rpc-text.js';
import { oneLine } from '../../rpc/stream/line-writer.js';
import type { Text } from '../../rpc/stream/long-text.js';
import type { Account } from './connection-limits.js';

const SSE_HEADERS = {
  'content-type': 'text/event-stream',
  'cache-control': 'no-cache, no-transform',
  connection: 'keep-alive',
  'x-accel-buffering': 'no',
} as const;

/**
 * Characters that the socket gets at once. Small enough to notice whether the client takes anything,
 * and for `malloc` to give the memory back.
 */
const PIECE = 16 * 1024;
/** Bytes of a shared list that the socket gets at once. They need no memory of their own. */
const SHARED = 1024 * 1024;
/** Characters or bytes per turn of the event loop, so that other clients do not wait. */
const TURN = 256 * 1024;
/** Bytes. With more unread data, a client does not get notifications that can be dropped. */
const MAX_BACKLOG = 1024 * 1024;

/** The number of errors for which JSON-RPC has none. The HTTP status says more. */
const BAD_REQUEST = -32000;
/** What the official SDKs answer, and clients look for. */
const SESSION_NOT_FOUND = -32001;

interface Waiting {
  /** Text until it is sent. A buffer is shared with other responses. */
  readonly data: string | Buffer;
  /** Bytes that wait and are counted. 0 if the bytes are shared. */
  counted: number;
  /** Whether each character is one byte. */
  readonly isPlain: boolean;
}

/** Writes nothing after the response has ended or the client has disconnected. */
export class HttpResponse {
  readonly raw: ServerResponse;
  readonly #account: Account | undefined;
  /** What is not sent yet, in its order. */
  #queue: Waiting[] = [];
  /** Characters or bytes in the queue. */
  #queued = 0;
  /** How much of the first text is sent. */
  #sent = 0;
  /** Pieces that Node has and the client has not. */
  #untaken = 0;
  #isStream = false;
  #isEnding = false;
  #isResting = false;
  readonly #onClose: (() => void)[] = [];

  /** `account` counts the bytes that wait for the client. */
  constructor(raw: ServerResponse, account?: Account) {
    this.raw = raw;
    this.#account = account;
    raw.once('close', () => this.#close());
    if (!raw.socket) closeWithConnection(raw);
  }

  /** Adds headers, unless the head was already sent. */
  with(headers: Readonly<Record<string, string>>): this {
    if (this.raw.headersSent) return this;
    for (const [name, value] of Object.entries(headers)) this.raw.setHeader(name, value);
    return this;
  }

  get isStream(): boolean {
    return this.#isStream;
  }

  /** Whether the client is still there and the response has not ended. */
  get isOpen(): boolean {
    return !this.#isEnding && !this.raw.writableEnded && !this.raw.destroyed;
  }

  json(status: number, text: Text): void {
    this.text(status, 'application/json', text);
  }

  text(status: number, type: string, text: Text): void {
    if (!this.isOpen) return;
    const length = typeof text === 'string' ? Buffer.byteLength(text) : text.byteLength;
    this.raw.writeHead(status, { 'content-type': type, 'content-length': length });
    // Node sends short text together with the head.
    if (typeof text === 'string' && text.length < PIECE) this.raw.end(text);
    else if (this.#writeText('', text, '')) this.end();
  }

  empty(status: number): void {
    if (!this.isOpen) return;
    this.raw.writeHead(status, status === 204 ? {} : { 'content-length': 0 }).end();
  }

  /** Answers a whole request with an error. `code`: the JSON-RPC number, if there is one. */
  refuse(status: number, message: string, code: number = BAD_REQUEST): void {
    this.json(status, errorText(undefined, errorJson(code, message)));
  }

  sessionNotFound(): void {
    this.refuse(404, 'Session not found', SESSION_NOT_FOUND);
  }

  /** Makes the response an event stream. */
  startStream(): void {
    if (this.#isStream || !this.isOpen) return;
    this.#isStream = true;
    // Set first, so that others can tell what this response is.
    this.with(SSE_HEADERS).raw.writeHead(200).flushHeaders();
  }

  /** Whether the client reads too slowly to get this event. */
  drops(data: Text): boolean {
    const backlog = this.#queued - this.#sent + this.raw.writableLength;
    return backlog > MAX_BACKLOG && isDroppable(data);
  }

  /** Sends an event. Returns false if the client has disconnected, or reads too slowly. */
  event(data: Text, id?: string): boolean {
    if (!this.isOpen || this.drops(data)) return false;
    const head = `${id === undefined ? '' : `id: ${id}\n`}event: message\ndata: `;
    // A line break would end the data of the event.
    return this.#writeText(head, typeof data === 'string' ? oneLine(data) : data, '\n\n');
  }

  /** Sends other text on a stream, such as a comment. Skipped if earlier text still waits. */
  comment(text: string): void {
    if (this.isOpen && this.#isStream && this.#queue.length === 0) this.raw.write(text);
  }

  /** Ends the response after everything is sent. */
  end(): void {
    if (!this.isOpen) return;
    this.#isEnding = true;
    if (this.#queue.length === 0) this.raw.end();
  }

  /** Calls back when the response has ended, or the client has disconnected. */
  onClose(listener: () => void): void {
    this.#onClose.push(listener);
  }

  #writeText(head: string, text: Text, tail: string): boolean {
    if (typeof text !== 'string') {
      const { head: start, body, tail: rest } = text;
      return this.#write(head + start) && this.#write(body) && this.#write(rest + tail);
    }
    if (text.length < PIECE) return this.#write(head + text + tail);
    return this.#write(head) && this.#write(text) && this.#write(tail);
  }

  /** Sends data after everything that waits. Returns false if the client was dropped instead. */
  #write(data: string | Buffer): boolean {
    const isFree = this.#queue.length === 0 && this.raw.writableLength < PIECE;
    if (isFree && data.length <= PIECE) {
      if (data.length > 0) this.raw.write(data);
      return true;
    }
    if (data.length === 0) return true;
    const bytes = Buffer.byteLength(data);
    const counted = typeof data === 'string' ? bytes : 0;
    this.#queue.push({ data, counted, isPlain: bytes === data.length });
    this.#queued += data.length;
    if (counted > 0 && this.#account?.queue(counted) === false) return false;
    this.#pump();
    return true;
  }

  #pump(): void {
    let left = TURN;
    // One piece at least, so that `#onTaken` is called.
    while (this.#queue.length > 0 && (this.#untaken === 0 || this.raw.writableLength < PIECE)) {
      if (left <= 0) return this.#rest();
      const first = this.#queue[0]!;
      const piece = pieceOf(first.data, this.#sent);
      this.#sent += piece.length;
      left -= piece.length;
      this.#release(first, first.isPlain ? piece.length : Buffer.byteLength(piece));
      if (this.#sent === first.data.length) {
        this.#queue.shift();
        this.#queued -= first.data.length;
        this.#sent = 0;
      }
      this.#untaken++;
      this.raw.write(piece, this.#onTaken);
    }
    if (this.#isEnding && this.#queue.length === 0) this.raw.end();
  }

  /**
   * The client has taken a piece. We do not wait for `drain`: if a client sends several requests at
   * once, Node may emit that too early, and then not again.
   */
  readonly #onTaken = (error?: Error | null): void => {
    this.#untaken--;
    if (!error && this.#queue.length > 0) this.#pump();
  };

  /** Goes on in the next turn, although the client takes more. */
  #rest(): void {
    if (this.#isResting) return;
    this.#isResting = true;
    setImmediate(() => {
      this.#isResting = false;
      if (!this.raw.destroyed) this.#pump();
    });
  }

  #release(waiting: Waiting, bytes: number): void {
    if (waiting.counted === 0) return;
    waiting.counted -= bytes;
    this.#account?.release(bytes);
  }

  #close(): void {
    this.#drop();
    for (const listener of this.#onClose) listener();
  }

  #drop(): void {
    for (const waiting of this.#queue) this.#release(waiting, waiting.counted);
    this.#queue = [];
    this.#queued = 0;
    this.#sent = 0;
  }
}

/** The next piece. Never splits a surrogate pair. */
function pieceOf(data: string | Buffer, start: number): string | Buffer {
  if (typeof data !== 'string') return data.subarray(start, start + SHARED);
  const end = start + PIECE;
  return data.slice(start, isHighSurrogate(data.charCodeAt(end - 1)) ? end - 1 : end);
}

function isHighSurrogate(code: number): boolean {
  return code >= 0xd800 && code < 0xdc00;
}

/**
 * A client may send a request before it has the answer to the last one. Until then, the next
 * response has no socket, and Node does not close it when the client disconnects.
 */
function closeWithConnection(response: ServerResponse): void {
  const { socket } = response.req;
  const close = (): void => {
    if (response.socket || response.closed) return;
    response.destroy();
    response.emit('close');
  };
  // One for each request that waits.
  socket.setMaxListeners(0).once('close', close);
  response.once('close', () => socket.off('close', close));
}
