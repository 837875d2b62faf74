/**
 * The bytes of a line that arrives in parts. They are kept in one piece: V8 takes many times as long
 * to join a text from parts, and all of that in one turn.
 */

import { LONG_JSON } from '@callsign/core';

/** Bytes. */
const FIRST = 4 * 1024;
const NOTHING = Buffer.alloc(0);

/** An `ArrayBuffer` that grows in place. The types of ES2023 do not have it yet. */
interface GrowingBuffer extends ArrayBuffer {
  resize(length: number): void;
}

type MakeGrowing = new (length: number, options: { maxByteLength: number }) => GrowingBuffer;

/** One per stream. Give it no more than `maxBytes` for one line. */
export class LineBytes {
  readonly #maxBytes: number;
  #bytes: Buffer = NOTHING;
  /** The memory of a long line. */
  #growing: GrowingBuffer | undefined;
  #length = 0;

  constructor(maxBytes: number) {
    this.#maxBytes = maxBytes;
  }

  add(part: Buffer): void {
    const end = this.#length + part.length;
    if (end > this.#bytes.length) this.#grow(end);
    part.copy(this.#bytes, this.#length);
    this.#length = end;
  }

  /** What was added since the last time. The memory of a line that is not long is used again. */
  take(): Buffer {
    const line = this.#bytes.subarray(0, this.#length);
    this.#length = 0;
    if (this.#growing) {
      this.#growing = undefined;
      this.#bytes = NOTHING;
    }
    return line;
  }

  #grow(end: number): void {
    if (this.#growing) {
      // Nothing is copied: the memory was reserved, and is used from now on.
      this.#growing.resize(end);
      this.#bytes = Buffer.from(this.#growing);
      return;
    }
    const before = this.#bytes.subarray(0, this.#length);
    if (end >= LONG_JSON) {
      const Growing = ArrayBuffer as unknown as MakeGrowing;
      this.#growing = new Growing(end, { maxByteLength: Math.max(end, this.#maxBytes) });
      this.#bytes = Buffer.from(this.#growing);
    } else {
      const size = Math.max(FIRST, 2 ** Math.ceil(Math.log2(end)));
      // A long line must not fit.
      this.#bytes = Buffer.allocUnsafeSlow(Math.min(size, LONG_JSON - 1));
    }
    before.copy(this.#bytes);
  }
}
