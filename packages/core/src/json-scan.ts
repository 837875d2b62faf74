/**
 * Walks JSON text without building values: where a value ends, and whether it is JSON at all.
 * Accepts what `JSON.parse` accepts, so that nothing we forward reads differently at the other end.
 */

const QUOTE = 34;
const COMMA = 44;
const COLON = 58;
const OPEN_BRACKET = 91;
const CLOSE_BRACKET = 93;
const OPEN_BRACE = 123;
const CLOSE_BRACE = 125;

/** Deeper nesting is refused: it serves nobody, and the next parser may recurse. */
const MAX_DEPTH = 512;
const NUMBER = /-?(?:0|[1-9]\d*)(?:\.\d+)?(?:[eE][+-]?\d+)?/y;
const ESCAPE = /\\(?:["\\/bfnrt]|u[0-9a-fA-F]{4})/y;
// oxlint-disable-next-line no-control-regex -- JSON forbids exactly these inside strings
const CONTROL = /[\u0000-\u001f]/;

/** Not a position. */
export const NOWHERE = -1;

/**
 * A walk over one text. The next backslash is remembered, so that a long text without any, the usual
 * case, is crossed by native searches alone.
 */
export class JsonScan {
  readonly text: string;
  readonly #hasControl: boolean;
  #backslash: number;
  #keyEnd = NOWHERE;

  constructor(text: string) {
    this.text = text;
    this.#hasControl = CONTROL.test(text);
    this.#backslash = text.indexOf('\\');
  }

  /** The end of the value that starts here; `NOWHERE` if there is none. */
  skipValue(start: number): number {
    const { text } = this;
    const inObject: boolean[] = [];
    let at = start;
    for (;;) {
      const code = text.charCodeAt(at);
      if (code === QUOTE) at = this.skipString(at);
      else if (code === OPEN_BRACE || code === OPEN_BRACKET) {
        const isObject = code === OPEN_BRACE;
        at = this.skipSpace(at + 1);
        if (text.charCodeAt(at) === (isObject ? CLOSE_BRACE : CLOSE_BRACKET)) at++;
        else {
          if (inObject.push(isObject) > MAX_DEPTH) return NOWHERE;
          if (isObject) at = this.skipKey(at);
          if (at === NOWHERE) return NOWHERE;
          continue;
        }
      } else at = this.#skipScalar(at, code);
      if (at === NOWHERE) return NOWHERE;

      // A value is complete: close what ends with it, or go on to its neighbour.
      for (;;) {
        const isObject = inObject.at(-1);
        if (isObject === undefined) return at;
        at = this.skipSpace(at);
        const next = text.charCodeAt(at++);
        if (next === COMMA) {
          at = this.skipSpace(at);
          if (isObject) at = this.skipKey(at);
          if (at === NOWHERE) return NOWHERE;
          break;
        }
        if (next !== (isObject ? CLOSE_BRACE : CLOSE_BRACKET)) return NOWHERE;
        inObject.pop();
      }
    }
  }

  /** From the opening quote to behind the closing one. */
  skipString(start: number): number {
    const { text } = this;
    if (text.charCodeAt(start) !== QUOTE) return NOWHERE;
    let end = text.indexOf('"', start + 1);
    if (end === -1) return NOWHERE;
    if (this.#backslash !== -1 && this.#backslash < start) {
      this.#backslash = text.indexOf('\\', start);
    }
    while (this.#backslash !== -1 && this.#backslash < end) {
      ESCAPE.lastIndex = this.#backslash;
      if (!ESCAPE.test(text)) return NOWHERE;
      const behind = ESCAPE.lastIndex;
      if (end < behind) end = text.indexOf('"', behind);
      if (end === -1) return NOWHERE;
      this.#backslash = text.indexOf('\\', behind);
    }
    if (this.#hasControl && CONTROL.test(text.slice(start, end))) return NOWHERE;
    return end + 1;
  }

  /** From a member's key to its value. */
  skipKey(start: number): number {
    const end = this.skipString(start);
    if (end === NOWHERE) return NOWHERE;
    this.#keyEnd = end;
    const at = this.skipSpace(end);
    return this.text.charCodeAt(at) === COLON ? this.skipSpace(at + 1) : NOWHERE;
  }

  skipSpace(start: number): number {
    let at = start;
    for (;;) {
      const code = this.text.charCodeAt(at);
      if (code !== 32 && code !== 10 && code !== 13 && code !== 9) return at;
      at++;
    }
  }

  #skipScalar(start: number, code: number): number {
    const { text } = this;
    if (code === 116) return text.startsWith('true', start) ? start + 4 : NOWHERE;
    if (code === 102) return text.startsWith('false', start) ? start + 5 : NOWHERE;
    if (code === 110) return text.startsWith('null', start) ? start + 4 : NOWHERE;
    NUMBER.lastIndex = start;
    return NUMBER.test(text) ? NUMBER.lastIndex : NOWHERE;
  }

  /**
   * Visits the members of the object that starts here, in order, and returns its end. `visit` gets the
   * key as a reader would see it and where its value starts, walks the value, and returns its end.
   * The walk only goes forward; to look at the same place twice, begin a new one.
   */
  visitObject(start: number, visit: (key: string, valueStart: number) => number): number {
    const { text } = this;
    if (text.charCodeAt(start) !== OPEN_BRACE) return NOWHERE;
    let at = this.skipSpace(start + 1);
    if (text.charCodeAt(at) === CLOSE_BRACE) return at + 1;
    for (;;) {
      const valueStart = this.skipKey(at);
      if (valueStart === NOWHERE) return NOWHERE;
      const end = visit(this.#key(at, this.#keyEnd), valueStart);
      if (end === NOWHERE) return NOWHERE;
      at = this.skipSpace(end);
      const next = text.charCodeAt(at);
      if (next === CLOSE_BRACE) return at + 1;
      if (next !== COMMA) return NOWHERE;
      at = this.skipSpace(at + 1);
    }
  }

  /** Visits the elements of the array that starts here; `visit` returns the end of each. */
  visitArray(start: number, visit: (valueStart: number) => number): number {
    const { text } = this;
    if (text.charCodeAt(start) !== OPEN_BRACKET) return NOWHERE;
    let at = this.skipSpace(start + 1);
    if (text.charCodeAt(at) === CLOSE_BRACKET) return at + 1;
    for (;;) {
      const end = visit(at);
      if (end === NOWHERE) return NOWHERE;
      at = this.skipSpace(end);
      const next = text.charCodeAt(at);
      if (next === CLOSE_BRACKET) return at + 1;
      if (next !== COMMA) return NOWHERE;
      at = this.skipSpace(at + 1);
    }
  }

  /** A key with escapes is read as the next parser will read it: `"n\u0061me"` is `name`. */
  #key(start: number, end: number): string {
    const raw = this.text.slice(start + 1, end - 1);
    return raw.includes('\\') ? (JSON.parse(`"${raw}"`) as string) : raw;
  }
}
