/**
 * Scans JSON text without building values: finds where a value ends and whether it is valid.
 * Accepts exactly the texts that `JSON.parse` accepts, up to a depth, so that the receiver reads
 * what we forward in the same way as we do.
 */

const QUOTE = 34;
const COMMA = 44;
const COLON = 58;
const OPEN_BRACKET = 91;
const CLOSE_BRACKET = 93;
const OPEN_BRACE = 123;
const CLOSE_BRACE = 125;

/** Deeper nesting is refused: nothing needs it, and the next parser may recurse. */
export const MAX_DEPTH = 512;
/** A message, its parameters and its `_meta` have a few members each. More are not looked at one by one. */
export const MAX_MEMBERS = 1_000;
/**
 * The kinds of open containers around the position: 1 object, 0 array. Shared by all scans: a scan
 * runs to its end or pauses, and a paused scan keeps a copy.
 */
const INSIDE = new Uint8Array(MAX_DEPTH);
const NUMBER = /-?(?:0|[1-9]\d*)(?:\.\d+)?(?:[eE][+-]?\d+)?/y;
const ESCAPE = /\\(?:["\\/bfnrt]|u[0-9a-fA-F]{4})/y;
// oxlint-disable-next-line no-control-regex -- JSON forbids exactly these inside strings
const CONTROL = /[\u0000-\u001f]/;

/** No position: the text is not valid there. */
export const NOWHERE = -1;
/** No further member in the object. */
export const NO_MORE = -2;
/** The scan has paused. */
const PAUSED = -3;
/** Characters between two pauses: about a millisecond of work. */
const SLICE = 32 * 1024;

/** The position of a paused scan. */
interface Pause {
  readonly at: number;
  readonly inside: Uint8Array;
}

/**
 * A scan of one text. It only goes forward; use a new scan to read a place twice. It remembers the
 * next backslash, so that a long text without any, the usual case, needs only native searches.
 */
export class JsonScan {
  readonly text: string;
  readonly #hasControl: boolean;
  #backslash: number;
  /** Whether the last string has escapes, and whether the last member's key has. */
  #isEscaped = false;
  #isKeyEscaped = false;
  #keyStart = NOWHERE;
  #keyEnd = NOWHERE;
  #objectEnd = NOWHERE;
  #pause: Pause | undefined;
  #isTooDeep = false;
  readonly #ends: ReadonlyMap<number, number> | undefined;

  /** `ends`: the ends of values from an earlier scan, by their start. */
  constructor(text: string, ends?: ReadonlyMap<number, number>) {
    this.text = text;
    this.#hasControl = CONTROL.test(text);
    this.#ends = ends;
    this.#backslash = text.indexOf('\\');
  }

  /** The key of the last member that was found, unescaped: `"n\u0061me"` is `name`. */
  get key(): string {
    const raw = this.text.slice(this.#keyStart + 1, this.#keyEnd - 1);
    return this.#isKeyEscaped ? (JSON.parse(`"${raw}"`) as string) : raw;
  }

  /** The end of the object or array whose scan returned `NO_MORE`. */
  get objectEnd(): number {
    return this.#objectEnd;
  }

  /** Whether the scan has ended at a value that is nested deeper than `MAX_DEPTH`. */
  get isTooDeep(): boolean {
    return this.#isTooDeep;
  }

  /** The position after the value that starts here; `NOWHERE` if there is no valid value. */
  skipValue(start: number): number {
    const end = this.#ends?.get(start) ?? NOWHERE;
    // A value without an end is read again, up to what is wrong with it.
    return end === NOWHERE ? this.#walk(start, 0, Infinity) : end;
  }

  /** `skipValue` for a long value. Yields after each slice, so that other work can run. */
  *skipLongValue(start: number): Generator<undefined, number> {
    let end = this.#walk(start, 0, start + SLICE);
    while (end === PAUSED) {
      const { at, inside } = this.#pause!;
      yield;
      INSIDE.set(inside);
      end = this.#walk(at, inside.length, at + SLICE);
    }
    return end;
  }

  /**
   * Continues at a value inside `startDepth` containers. Pauses at the first value after `pauseAt`.
   */
  #walk(start: number, startDepth: number, pauseAt: number): number {
    const { text } = this;
    let depth = startDepth;
    let at = start;
    for (;;) {
      if (at > pauseAt) {
        this.#pause = { at, inside: INSIDE.slice(0, depth) };
        return PAUSED;
      }
      const code = text.charCodeAt(at);
      if (code === QUOTE) at = this.skipString(at);
      else if (code === OPEN_BRACE || code === OPEN_BRACKET) {
        const isObject = code === OPEN_BRACE;
        at = this.skipSpace(at + 1);
        if (text.charCodeAt(at) === (isObject ? CLOSE_BRACE : CLOSE_BRACKET)) at++;
        else {
          if (depth === MAX_DEPTH) {
            this.#isTooDeep = true;
            return NOWHERE;
          }
          INSIDE[depth++] = isObject ? 1 : 0;
          if (isObject) at = this.skipKey(at);
          if (at === NOWHERE) return NOWHERE;
          continue;
        }
      } else at = this.#skipScalar(at, code);
      if (at === NOWHERE) return NOWHERE;

      // A value is complete: close the containers that end here, or go on to the next value.
      for (;;) {
        if (depth === 0) return at;
        const isObject = INSIDE[depth - 1] === 1;
        at = this.skipSpace(at);
        const next = text.charCodeAt(at++);
        if (next === COMMA) {
          at = this.skipSpace(at);
          if (isObject) at = this.skipKey(at);
          if (at === NOWHERE) return NOWHERE;
          break;
        }
        if (next !== (isObject ? CLOSE_BRACE : CLOSE_BRACKET)) return NOWHERE;
        depth--;
      }
    }
  }

  /** From the opening quote to the position after the closing one. */
  skipString(start: number): number {
    const { text } = this;
    if (text.charCodeAt(start) !== QUOTE) return NOWHERE;
    let end = text.indexOf('"', start + 1);
    if (end === -1) return NOWHERE;
    if (this.#backslash !== -1 && this.#backslash < start) {
      this.#backslash = text.indexOf('\\', start);
    }
    this.#isEscaped = this.#backslash !== -1 && this.#backslash < end;
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

  /** From the start of a member's key to the start of its value. */
  skipKey(start: number): number {
    const end = this.skipString(start);
    if (end === NOWHERE) return NOWHERE;
    this.#keyEnd = end;
    const at = this.skipSpace(end);
    return this.text.charCodeAt(at) === COLON ? this.skipSpace(at + 1) : NOWHERE;
  }

  /** Never reads past the end: after one such read, V8 no longer inlines `charCodeAt` here. */
  skipSpace(start: number): number {
    const { text } = this;
    const { length } = text;
    let at = start;
    while (at < length) {
      const code = text.charCodeAt(at);
      if (code > 32 || (code !== 32 && code !== 10 && code !== 13 && code !== 9)) break;
      at++;
    }
    return at;
  }

  #skipScalar(start: number, code: number): number {
    const { text } = this;
    if (code === 116) return text.startsWith('true', start) ? start + 4 : NOWHERE;
    if (code === 102) return text.startsWith('false', start) ? start + 5 : NOWHERE;
    if (code === 110) return text.startsWith('null', start) ? start + 4 : NOWHERE;
    // Most numbers are ids and counts: digits, and no zero in front.
    if (code >= 49 && code <= 57) {
      let at = start + 1;
      let next = text.charCodeAt(at);
      while (next >= 48 && next <= 57) next = text.charCodeAt(++at);
      if (next !== 46 && next !== 69 && next !== 101) return at;
    }
    NUMBER.lastIndex = start;
    return NUMBER.test(text) ? NUMBER.lastIndex : NOWHERE;
  }

  /**
   * The start of the first member's value in the object that starts here. `NO_MORE`: the object is
   * empty. `NOWHERE`: this is not an object.
   */
  firstMember(start: number): number {
    if (this.text.charCodeAt(start) !== OPEN_BRACE) return NOWHERE;
    const at = this.skipSpace(start + 1);
    return this.text.charCodeAt(at) === CLOSE_BRACE ? this.#closeObject(at) : this.#member(at);
  }

  /** From the end of one member's value to the value of the next. `NOWHERE` stays `NOWHERE`. */
  nextMember(valueEnd: number): number {
    const at = this.skipSpace(valueEnd);
    const next = this.text.charCodeAt(at);
    if (next === CLOSE_BRACE) return this.#closeObject(at);
    return next === COMMA ? this.#member(this.skipSpace(at + 1)) : NOWHERE;
  }

  #member(at: number): number {
    const valueStart = this.skipKey(at);
    this.#keyStart = at;
    this.#isKeyEscaped = this.#isEscaped;
    return valueStart;
  }

  #closeObject(at: number): number {
    this.#objectEnd = at + 1;
    return NO_MORE;
  }

  /**
   * Visits the members of the object that starts here, in order, and returns its end. `visit` gets
   * the key and the start of the value. It must scan the value and return its end.
   */
  visitObject(start: number, visit: (key: string, valueStart: number) => number): number {
    let at = this.firstMember(start);
    while (at >= 0) at = this.nextMember(visit(this.key, at));
    return at === NO_MORE ? this.#objectEnd : NOWHERE;
  }

  /** Visits the elements of the array that starts here; `visit` returns the end of each. */
  visitArray(start: number, visit: (valueStart: number) => number): number {
    let at = this.firstElement(start);
    while (at >= 0) at = this.nextElement(visit(at));
    return at === NO_MORE ? this.#objectEnd : NOWHERE;
  }

  /** The first element of the array that starts here; `NO_MORE` and `NOWHERE` as for members. */
  firstElement(start: number): number {
    if (this.text.charCodeAt(start) !== OPEN_BRACKET) return NOWHERE;
    const at = this.skipSpace(start + 1);
    return this.text.charCodeAt(at) === CLOSE_BRACKET ? this.#closeObject(at) : at;
  }

  /** From the end of one element to the next. `NOWHERE` stays `NOWHERE`. */
  nextElement(valueEnd: number): number {
    const at = this.skipSpace(valueEnd);
    const next = this.text.charCodeAt(at);
    if (next === CLOSE_BRACKET) return this.#closeObject(at);
    return next === COMMA ? this.skipSpace(at + 1) : NOWHERE;
  }
}
