/** Sends long texts over one response in pieces, and counts the bytes that still wait. */

import type { ServerResponse } from 'node:http';

/**
 * Bytes that the socket gets at once. Small enough to notice whether the client takes anything, and
 * for `malloc` to give the memory back.
 */
const PIECE = 16 * 1024;
/** The same for bytes, which need no memory of their own. */
const BYTES = 32 * 1024;
/** The same for bytes that others keep too. */
const SHARED = 1024 * 1024;
/** Characters or bytes per turn of the event loop, so that other clients do not wait. */
const TURN = 256 * 1024;

/** Counts the bytes that wait for a client. */
export interface Account {
  /** These bytes wait from now on. False: the connection was dropped because of them. */
  queue(bytes: number): boolean;
  /** These bytes no longer wait. */
  release(bytes: number): void;
}

interface Waiting {
  /** Text until it is sent: V8 frees the memory of texts, but `malloc` keeps that of buffers. */
  readonly data: string | Buffer;
  readonly isShared: boolean;
  /** Bytes that wait and are counted. 0 if the bytes are shared. */
  counted: number;
  /** Whether each character is one byte. */
  readonly isPlain: boolean;
}

/** What is known about data to send. */
interface About {
  /** Whether others keep the same bytes, so that they are not counted here. */
  readonly isShared: boolean;
  readonly bodyBytes: number;
}

/** Keeps the order of everything that is written to a response. */
export class Outbox {
  readonly #response: ServerResponse;
  readonly #account: Account | undefined;
  #queue: Waiting[] = [];
  /** Characters or bytes in the queue. */
  #queued = 0;
  /** How much of the first text is sent. */
  #sent = 0;
  /** Pieces that the response has and the client has not. */
  #untaken = 0;
  #isEnding = false;
  #isWatching = false;
  #isResting = false;

  constructor(response: ServerResponse, account: Account | undefined) {
    this.#response = response;
    this.#account = account;
  }

  get isEmpty(): boolean {
    return this.#queue.length === 0;
  }

  /** Bytes, roughly, that the client has not taken yet. */
  get backlog(): number {
    return this.#queued - this.#sent + this.#response.writableLength;
  }

  get isEnding(): boolean {
    return this.#isEnding;
  }

  /** Sends text after everything that waits. False: the client was dropped instead. */
  write(data: string | Buffer, about?: About): boolean {
    if (this.isEmpty && data.length <= PIECE && this.#response.writableLength < PIECE) {
      this.#response.write(data);
      return true;
    }
    if (data.length === 0) return true;
    this.#watch();
    const isShared = about?.isShared === true;
    const bytes = about?.bodyBytes ?? Buffer.byteLength(data);
    const counted = isShared ? 0 : bytes;
    this.#queue.push({ data, isShared, counted, isPlain: bytes === data.length });
    this.#queued += data.length;
    if (counted > 0 && this.#account?.queue(counted) === false) return false;
    this.#pump();
    return true;
  }

  /** Ends the response after everything is sent. */
  end(): void {
    this.#isEnding = true;
    if (this.isEmpty) this.#response.end();
  }

  #watch(): void {
    if (this.#isWatching) return;
    this.#isWatching = true;
    this.#response.once('close', () => this.#drop());
  }

  #pump(): void {
    const response = this.#response;
    let left = TURN;
    // One piece at least, so that `#onTaken` is called.
    while (this.#queue.length > 0 && (this.#untaken === 0 || response.writableLength < PIECE)) {
      if (left <= 0) return this.#rest();
      const first = this.#queue[0]!;
      const piece = pieceOf(first, this.#sent);
      this.#sent += piece.length;
      left -= piece.length;
      this.#release(first, first.isPlain ? piece.length : Buffer.byteLength(piece));
      if (this.#sent === first.data.length) {
        this.#queue.shift();
        this.#queued -= first.data.length;
        this.#sent = 0;
      }
      this.#untaken++;
      response.write(piece, this.#onTaken);
    }
    if (this.#isEnding && this.isEmpty) response.end();
  }

  /**
   * The client has taken a piece. We do not wait for `drain`: if a client sends several requests at
   * once, Node may emit that too early, and then not again.
   */
  readonly #onTaken = (error?: Error | null): void => {
    this.#untaken--;
    if (!error && !this.isEmpty) this.#pump();
  };

  /** Goes on in the next turn, although the client takes more. */
  #rest(): void {
    if (this.#isResting) return;
    this.#isResting = true;
    setImmediate(() => {
      this.#isResting = false;
      if (!this.#response.destroyed) this.#pump();
    });
  }

  #release(waiting: Waiting, bytes: number): void {
    if (waiting.counted === 0) return;
    waiting.counted -= bytes;
    this.#account?.release(bytes);
  }

  #drop(): void {
    for (const waiting of this.#queue) this.#release(waiting, waiting.counted);
    this.#queue = [];
    this.#queued = 0;
    this.#sent = 0;
  }
}

/** The next piece. Never splits a surrogate pair. */
function pieceOf({ data, isShared }: Waiting, start: number): string | Buffer {
  if (typeof data !== 'string') return data.subarray(start, start + (isShared ? SHARED : BYTES));
  const end = start + PIECE;
  return data.slice(start, isHighSurrogate(data.charCodeAt(end - 1)) ? end - 1 : end);
}

function isHighSurrogate(code: number): boolean {
  return code >= 0xd800 && code < 0xdc00;
}
