/** Sends long texts over one response in pieces. The socket holds one piece; the rest waits here and is counted. */

import type { ServerResponse } from 'node:http';

/** What the socket gets at once. Small enough to see whether the client takes anything. */
const PIECE = 16 * 1024;
/** What waits is kept in blocks of this size, so that the memory of those that were sent can be used again. */
const BLOCK = 64 * 1024;

/** Counts the bytes that wait for a client. */
export interface Account {
  /** Bytes that wait from now on; false if the connection was dropped for them. */
  queue(bytes: number): boolean;
  /** Bytes that no longer wait. */
  release(bytes: number): void;
}

interface Waiting {
  readonly bytes: Buffer;
  readonly isCounted: boolean;
}

export class Outbox {
  readonly #response: ServerResponse;
  readonly #account: Account | undefined;
  #queue: Waiting[] = [];
  /** How much of the first one is sent. */
  #sent = 0;
  #isEnding = false;
  #isWatching = false;

  constructor(response: ServerResponse, account: Account | undefined) {
    this.#response = response;
    this.#account = account;
  }

  get isEmpty(): boolean {
    return this.#queue.length === 0;
  }

  get isEnding(): boolean {
    return this.#isEnding;
  }

  /**
   * Sends text after all that waits; false if the client is dropped instead. `isShared`: the bytes are kept for
   * others too, so that they cost this connection nothing.
   */
  write(data: string | Buffer, isShared: boolean = false): boolean {
    if (this.isEmpty && data.length <= PIECE && this.#response.writableLength < PIECE) {
      this.#response.write(data);
      return true;
    }
    if (data.length === 0) return true;
    this.#watch();
    const blocks = isShared && typeof data !== 'string' ? [data] : blocksOf(data);
    let length = 0;
    for (const bytes of blocks) {
      this.#queue.push({ bytes, isCounted: !isShared });
      length += bytes.length;
    }
    if (!isShared && this.#account?.queue(length) === false) return false;
    this.#pump();
    return true;
  }

  /** Ends the response once everything is sent. */
  end(): void {
    this.#isEnding = true;
    if (this.isEmpty) this.#response.end();
  }

  #watch(): void {
    if (this.#isWatching) return;
    this.#isWatching = true;
    this.#response.on('drain', () => this.#pump());
    this.#response.once('close', () => this.#drop());
  }

  #pump(): void {
    const response = this.#response;
    while (this.#queue.length > 0 && response.writableLength < PIECE) {
      const { bytes, isCounted } = this.#queue[0]!;
      const piece = bytes.subarray(this.#sent, this.#sent + PIECE);
      this.#sent += piece.length;
      if (isCounted) this.#account?.release(piece.length);
      if (this.#sent === bytes.length) {
        this.#queue.shift();
        this.#sent = 0;
      }
      response.write(piece);
    }
    if (this.#isEnding && this.isEmpty) response.end();
  }

  #drop(): void {
    const sent = this.#sent;
    for (const [index, { bytes, isCounted }] of this.#queue.entries()) {
      if (isCounted) this.#account?.release(bytes.length - (index === 0 ? sent : 0));
    }
    this.#queue = [];
    this.#sent = 0;
  }
}

/** Copies, so that the whole is not kept for the sake of a part. */
function* blocksOf(data: string | Buffer): Iterable<Buffer> {
  for (let start = 0; start < data.length;) {
    let end = Math.min(start + BLOCK, data.length);
    if (typeof data !== 'string') yield Buffer.from(data.subarray(start, end));
    else {
      // Both halves of a character stay together.
      if (end < data.length && isHighSurrogate(data.charCodeAt(end - 1))) end--;
      yield Buffer.from(data.slice(start, end));
    }
    start = end;
  }
}

function isHighSurrogate(code: number): boolean {
  return code >= 0xd800 && code < 0xdc00;
}
