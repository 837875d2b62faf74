/** The lines of a YAML text, one after the other, without comments and empty lines. */

const [RETURN, SPACE, TAB, HASH] = [0x0d, 0x20, 0x09, 0x23];

export class BlockLines {
  /** Where the content of the current line starts. */
  start = 0;
  /** Where it ends, without the line break. */
  end = 0;
  /** The column of its first character. */
  column = 0;

  readonly #text: string;
  /** The start of the line after the current one. */
  #next: number;
  #hasLine = false;

  constructor(text: string) {
    this.#text = text;
    // A text may start with a line that marks the start of a document.
    this.#next = /^---[ ]*\r?\n/.exec(text)?.[0].length ?? 0;
  }

  /** Finds the current line. False at the end of the text. */
  next(): boolean {
    while (!this.#hasLine) {
      if (this.#next >= this.#text.length) return false;
      this.#read();
    }
    return true;
  }

  /** Ends the current line. */
  take(): void {
    this.#hasLine = false;
  }

  /** Goes on inside the current line, after the dash of a list. */
  moveTo(start: number): void {
    this.column += start - this.start;
    this.start = start;
  }

  /**
   * The lines of a text that `|` or `|-` introduces, below a parent at `column`. `undefined` for any
   * other header or an unusual indent.
   */
  literal(header: string, column: number): string | undefined {
    if (header !== '|' && header !== '|-') return undefined;
    this.#hasLine = false;
    const lines: string[] = [];
    let indent = 0;
    while (this.#next < this.#text.length) {
      const from = this.#next;
      const { start, end, next } = this.#lineAt(from);
      const isBlank = start === end;
      if (!isBlank && indent === 0) indent = start - from;
      if (!isBlank && start - from < indent) {
        if (start - from > column) return undefined;
        break;
      }
      if (!isBlank && indent <= column) break;
      // Spaces before the first line, or beyond the indent of an empty line, need a full parser.
      const isCut = next === this.#text.length && end === next;
      if ((isBlank && end > from) || isCut || this.#text.charCodeAt(start) === TAB)
        return undefined;
      lines.push(isBlank ? '' : this.#text.slice(from + indent, end));
      this.#next = next;
    }
    while (lines.at(-1) === '') lines.pop();
    if (lines.length === 0) return undefined;
    return header === '|' ? `${lines.join('\n')}\n` : lines.join('\n');
  }

  #read(): void {
    const from = this.#next;
    const { start, end, next } = this.#lineAt(from);
    this.#next = next;
    if (start === end || this.#text.charCodeAt(start) === HASH) return;
    this.start = start;
    this.end = end;
    this.column = start - from;
    this.#hasLine = true;
  }

  #lineAt(from: number): { readonly start: number; readonly end: number; readonly next: number } {
    const text = this.#text;
    const feed = text.indexOf('\n', from);
    const next = feed === -1 ? text.length : feed + 1;
    let end = feed === -1 ? text.length : feed;
    if (end > from && text.charCodeAt(end - 1) === RETURN) end--;
    let start = from;
    while (start < end && text.charCodeAt(start) === SPACE) start++;
    return { start, end, next };
  }
}
