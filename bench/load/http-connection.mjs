// One keep-alive connection, with the parts of HTTP that are needed to read answers: a length, or
// chunks.
import { connect } from 'node:net';

const HEAD_END = Buffer.from('\r\n\r\n');
const LAST_CHUNK = '\r\n0\r\n\r\n';
/** Less than the five seconds after which Node's servers close idle connections. */
const FRESH_MS = 3_000;

/** @typedef {{ headers: string, body: Buffer }} HttpAnswer the status line is the first of the headers */

export class HttpConnection {
  #socket;
  #parts = [];
  #length = 0;
  /**
   * The length of the whole answer: 0 until its headers are read, infinite if it comes in chunks.
   */
  #expected = 0;
  #bodyStart = 0;
  #head = '';
  #done;
  #lastUsed = performance.now();
  #isClosed = false;

  constructor({ hostname, port }) {
    this.#socket = connect({ host: hostname, port: Number(port), noDelay: true });
    this.#socket.once('close', () => {
      this.#isClosed = true;
      this.#done?.({ headers: '', body: Buffer.from('the connection was closed') });
    });
    this.#socket.on('data', (chunk) => this.#take(chunk));
    this.#socket.on('error', () => undefined);
  }

  /** Whether it may be used again: a server closes a connection that is idle for a while. */
  get isFresh() {
    return !this.#isClosed && performance.now() - this.#lastUsed < FRESH_MS;
  }

  /** One request at a time. @param {(answer: HttpAnswer) => void} done */
  send(text, done) {
    this.#done = done;
    this.#socket.write(text);
  }

  /** Every piece of an answer that never ends, without its framing. */
  stream(text, onPiece) {
    this.#socket.removeAllListeners('data');
    let held = '';
    let isHead = true;
    this.#socket.on('data', (chunk) => {
      held += chunk.latin1Slice();
      if (isHead) {
        const end = held.indexOf('\r\n\r\n');
        if (end === -1) return;
        held = held.slice(end + 4);
        isHead = false;
      }
      for (;;) {
        const line = held.indexOf('\r\n');
        const size = line === -1 ? NaN : parseInt(held.slice(0, line), 16);
        if (!(held.length >= line + size + 4)) return;
        onPiece(held.slice(line + 2, line + 2 + size));
        held = held.slice(line + size + 4);
      }
    });
    this.#socket.write(text);
  }

  close() {
    this.#socket.destroy();
  }

  #take(chunk) {
    this.#parts.push(chunk);
    this.#length += chunk.length;
    if (this.#expected === 0 && !this.#readHead()) return;
    const isWhole =
      this.#expected === Infinity ? this.#hasLastChunk() : this.#length >= this.#expected;
    if (isWhole) this.#finish();
  }

  #readHead() {
    if (this.#parts.length > 1) this.#parts = [Buffer.concat(this.#parts)];
    const [first] = this.#parts;
    const end = first.indexOf(HEAD_END);
    if (end === -1) return false;
    this.#head = first.latin1Slice(0, end).toLowerCase();
    this.#bodyStart = end + HEAD_END.length;
    const length = /\ncontent-length: (\d+)/.exec(this.#head)?.[1];
    const isChunked = this.#head.includes('\ntransfer-encoding: chunked');
    this.#expected = isChunked ? Infinity : this.#bodyStart + Number(length ?? 0);
    return true;
  }

  #hasLastChunk() {
    const tail = this.#parts
      .slice(-2)
      .map((part) => part.subarray(-LAST_CHUNK.length).latin1Slice());
    return tail.join('').endsWith(LAST_CHUNK);
  }

  #finish() {
    const whole = this.#parts.length === 1 ? this.#parts[0] : Buffer.concat(this.#parts);
    const isChunked = this.#expected === Infinity;
    const body = whole.subarray(this.#bodyStart);
    const answer = {
      headers: this.#head,
      body: isChunked ? unchunked(body) : body,
    };
    this.#parts = [];
    this.#length = 0;
    this.#expected = 0;
    this.#lastUsed = performance.now();
    const done = this.#done;
    this.#done = undefined;
    done(answer);
  }
}

function unchunked(body) {
  const pieces = [];
  for (let at = 0; ;) {
    const line = body.indexOf('\r\n', at);
    const size = parseInt(body.latin1Slice(at, line), 16);
    if (!(size > 0)) return pieces.length === 1 ? pieces[0] : Buffer.concat(pieces);
    pieces.push(body.subarray(line + 2, line + 2 + size));
    at = line + 2 + size + 2;
  }
}
