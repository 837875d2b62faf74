/** Cuts a byte stream into lines. Holds at most one unfinished line, and that only up to a limit. */

const NEWLINE = 10;

export interface LineReaderOptions {
  readonly maxBytes: number;
  /** The first byte of a line that counts, white space apart; any other line is passed over unread. */
  readonly opening?: number;
  readonly onLine: (line: string) => void;
  /** A line passed the limit. What has been read of it is dropped, and so is the rest of it. */
  readonly onTooLong: () => void;
}

export class LineReader {
  readonly #options: LineReaderOptions;
  #parts: Buffer[] = [];
  #length = 0;
  #isSkipping = false;

  constructor(options: LineReaderOptions) {
    this.#options = options;
  }

  push(chunk: Buffer): void {
    let from = 0;
    for (;;) {
      const newline = chunk.indexOf(NEWLINE, from);
      if (newline === -1) break;
      this.#finish(chunk.subarray(from, newline));
      from = newline + 1;
    }
    if (from < chunk.length) this.#keep(chunk.subarray(from));
  }

  /** The stream ended: what is left is a line too. */
  end(): void {
    if (this.#length > 0) this.#finish(Buffer.alloc(0));
  }

  #keep(part: Buffer): void {
    if (this.#isSkipping) return;
    this.#length += part.length;
    if (this.#length <= this.#options.maxBytes) {
      this.#parts.push(part);
      return;
    }
    this.#parts = [];
    this.#length = 0;
    this.#isSkipping = true;
    this.#options.onTooLong();
  }

  #finish(part: Buffer): void {
    this.#keep(part);
    if (this.#isSkipping) {
      this.#isSkipping = false;
      return;
    }
    const whole =
      this.#parts.length === 1 ? this.#parts[0]! : Buffer.concat(this.#parts, this.#length);
    this.#parts = [];
    this.#length = 0;
    if (!this.#counts(whole)) return;
    const line = whole.toString('utf8');
    if (line !== '' && line !== '\r') this.#options.onLine(line);
  }

  #counts(line: Buffer): boolean {
    const { opening } = this.#options;
    if (opening === undefined) return true;
    let at = 0;
    while (line[at] === 32 || line[at] === 9 || line[at] === 13) at++;
    return line[at] === opening;
  }
}
