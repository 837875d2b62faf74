/** Cuts a byte stream after its last newline, so that only whole lines are passed on. */

const NEWLINE = 10;

export class WholeLines {
  #rest: Buffer[] = [];

  /** The whole lines up to here, with their newlines; `undefined` if there is none. */
  push(chunk: Buffer): Buffer | undefined {
    const at = chunk.lastIndexOf(NEWLINE);
    if (at === -1) {
      this.#rest.push(chunk);
      return undefined;
    }
    const whole = chunk.subarray(0, at + 1);
    const lines = this.#rest.length === 0 ? whole : Buffer.concat([...this.#rest, whole]);
    this.#rest = at + 1 === chunk.length ? [] : [chunk.subarray(at + 1)];
    return lines;
  }

  /** Whether no line has begun. */
  get isEmpty(): boolean {
    return this.#rest.length === 0;
  }

  /** Forgets the beginning of a line that will not end. */
  clear(): void {
    this.#rest = [];
  }
}

/** Each line without its newline. Empty ones are left out. */
export function* linesOf(lines: Buffer): Generator<Buffer> {
  for (let start = 0; start < lines.length;) {
    const end = lines.indexOf(NEWLINE, start);
    if (end > start) yield lines.subarray(start, end);
    start = end + 1;
  }
}
