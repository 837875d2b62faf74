/**
 * The bytes of a line that arrives in parts. They are kept in one piece: V8 takes many times as long
 * to join a text from parts, and all of that in one turn.
 */

/** Bytes. */
const FIRST = 4 * 1024;
/** Longer lines get memory that grows in place. Each stream keeps no more than this. */
const SHORT = 64 * 1024;
const NOTHING = Buffer.alloc(0);

/** An `ArrayBuffer` that grows in place. The types of ES2023 do not have it yet. */
interface GrowingBuffer extends ArrayBuffer {
  resize(length: number): void;
}

type MakeGrowing = new (length: number, options: { maxByteLength: number }) => GrowingBuffer;

/** One per stream. Give it no more than `maxBytes` for one line. */
export class LineBytes {
  readonly #maxBytes: number;
  /** Where the line is now: in one of the other two. */
  #bytes: Buffer = NOTHING;
  #short: Buffer = NOTHING;
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

  /** What was added since the last time. Then call `keep` or `free`. */
  take(): Buffer {
    const line = this.#bytes.subarray(0, this.#length);
    this.#length = 0;
    this.#bytes = this.#short;
    return line;
  }

  /** The line that was taken is still used, so its memory is not used again. */
  keep(): void {
    this.#growing = undefined;
  }

  /** The line that was taken is not used any more. */
  free(): void {
    // Now, not at the next collection, which may be far away.
    this.#growing?.resize(0);
  }

  #grow(end: number): void {
    const before = this.#bytes.subarray(0, this.#length);
    const isShort = this.#bytes === this.#short;
    if (end <= SHORT) {
      this.#short = Buffer.allocUnsafeSlow(Math.max(FIRST, 2 ** Math.ceil(Math.log2(end))));
      this.#bytes = this.#short;
    } else {
      const Growing = ArrayBuffer as unknown as MakeGrowing;
      this.#growing ??= new Growing(0, { maxByteLength: Math.max(end, this.#maxBytes) });
      this.#growing.resize(end);
      this.#bytes = Buffer.from(this.#growing);
    }
    // Memory that grows in place has the line already.
    if (isShort) before.copy(this.#bytes);
  }
}
