/** Parses a call's arguments for rules, exactly as every server must read them. */

import { JsonScan, NOWHERE } from '@callsign/core';

/** Objects are maps, so that any key is data. Whole numbers are exact. */
type ArgumentValue =
  | null
  | boolean
  | number
  | bigint
  | string
  | readonly ArgumentValue[]
  | Arguments;

export type Arguments = ReadonlyMap<string, ArgumentValue>;

const MAX_INT = 2n ** 63n - 1n;
const MAX_INT_DIGITS = 20;
/** Keys at all depths. Each one is folded, which takes time that other calls wait for. */
const MAX_KEYS = 10_000;

/**
 * Why arguments cannot be checked: a clause about "the arguments". Contains nothing of their
 * content.
 */
export class ArgumentsError extends Error {}

/**
 * Throws if parsers would disagree: for a duplicate key some use the first value and some the last,
 * and some read `Path` as `path`. A policy must not check one value and let another one through.
 */
export function readArguments(params: string, maxLength: number): Arguments {
  const json = argumentsIn(params);
  if (json === undefined) return new Map();
  if (json.length > maxLength) {
    throw new ArgumentsError(
      `they have ${json.length} characters, and a rule reads at most ${maxLength}`,
    );
  }
  const value = new Reader(json).read();
  if (!(value instanceof Map)) throw new ArgumentsError('they are not an object');
  const names = new Set(Array.from(value, ([key]: [string, unknown]) => folded(key)));
  if (names.size < value.size) throw new ArgumentsError(TWO_IN_ONE);
  return value;
}

const TWO_IN_ONE = 'two keys differ only in case';
const TOO_MANY = `there are more than ${MAX_KEYS} keys`;
// oxlint-disable-next-line no-control-regex -- they are ASCII too
const IS_ASCII = /^[\u0000-\u007f]*$/;

/**
 * Equal for keys that some server treats as one: without case, and with compatible letters such
 * as `ſ` and `s`.
 */
function folded(key: string): string {
  if (IS_ASCII.test(key)) return key.toLowerCase();
  return key.normalize('NFKC').toUpperCase().toLowerCase().normalize('NFKC');
}

/**
 * Makes a map find its members by folded keys, so that a rule about `path` reads `Path` too. Throws
 * on reading one of several keys that fold to the same, and on a loop over the keys. It stays a plain `Map`, which expressions
 * require.
 */
function findFolded(members: Map<string, ArgumentValue>): Map<string, ArgumentValue> {
  const keys = new Map<string, string | undefined>();
  for (const key of members.keys()) {
    const fold = folded(key);
    keys.set(fold, keys.has(fold) ? undefined : key);
  }
  const find = (asked: unknown): string | undefined => {
    if (typeof asked !== 'string') return undefined;
    const fold = folded(asked);
    const key = keys.get(fold);
    if (key === undefined && keys.has(fold)) throw new ArgumentsError(TWO_IN_ONE);
    return key;
  };
  const exact = Map.prototype.get.bind(members) as (key: string) => ArgumentValue | undefined;
  return Object.assign(members, {
    has: (asked: unknown): boolean => find(asked) !== undefined,
    get(asked: unknown): ArgumentValue | undefined {
      const key = find(asked);
      return key === undefined ? undefined : exact(key);
    },
    // A loop would compare the keys exactly.
    keys(): never {
      throw new ArgumentsError('a rule loops over the keys of an object in them');
    },
  });
}

/** Duplicate `arguments` are refused: a server might read the other set. */
function argumentsIn(params: string): string | undefined {
  const scan = new JsonScan(params);
  let found: string | undefined;
  let keys = 0;
  const end = scan.visitObject(scan.skipSpace(0), (key, start) => {
    if (++keys > MAX_KEYS) throw new ArgumentsError(TOO_MANY);
    const valueEnd = scan.skipValue(start);
    if (folded(key) !== 'arguments' || valueEnd === NOWHERE) return valueEnd;
    if (found !== undefined || key !== 'arguments')
      throw new ArgumentsError('the request has "arguments" twice, or in another spelling');
    found = params.slice(start, valueEnd);
    return valueEnd;
  });
  if (end === NOWHERE) throw new ArgumentsError('they cannot be read');
  return found;
}

class Reader {
  readonly #scan: JsonScan;
  #value: ArgumentValue = null;
  #keys = 0;

  constructor(text: string) {
    this.#scan = new JsonScan(text);
  }

  /** The text was already scanned, so it is valid JSON. */
  read(): ArgumentValue {
    this.#read(this.#scan.skipSpace(0));
    return this.#value;
  }

  /** Puts the value that starts here into `#value`, and returns its end. */
  #read(start: number): number {
    const scan = this.#scan;
    const first = scan.text[start];
    if (first === '{') return this.#readObject(start);
    if (first === '[') return this.#readArray(start);
    const end = scan.skipValue(start);
    this.#value = scalar(scan.text.slice(start, end));
    return end;
  }

  #readObject(start: number): number {
    const members = new Map<string, ArgumentValue>();
    // The map does not fold keys before it is complete, so this finds exact duplicates only.
    const end = this.#scan.visitObject(start, (key, valueStart) => {
      if (++this.#keys > MAX_KEYS) throw new ArgumentsError(TOO_MANY);
      if (members.has(key)) throw new ArgumentsError('one key occurs twice');
      const valueEnd = this.#read(valueStart);
      members.set(key, this.#value);
      return valueEnd;
    });
    this.#value = findFolded(members);
    return end;
  }

  #readArray(start: number): number {
    const elements: ArgumentValue[] = [];
    const end = this.#scan.visitArray(start, (valueStart) => {
      const valueEnd = this.#read(valueStart);
      elements.push(this.#value);
      return valueEnd;
    });
    this.#value = elements;
    return end;
  }
}

function scalar(json: string): ArgumentValue {
  if (/^-?\d+$/.test(json) && json.length <= MAX_INT_DIGITS) {
    const whole = BigInt(json);
    if (whole <= MAX_INT && whole >= -MAX_INT) return whole;
  }
  return JSON.parse(json) as ArgumentValue;
}
