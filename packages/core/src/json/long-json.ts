/** Reads long JSON text in slices, so that other calls do not wait for the whole of it. */

import { JsonScan, MAX_MEMBERS, NO_MORE, NOWHERE } from './json-scan.js';

/** Texts of at least this many characters are read in slices. */
export const LONG_JSON: number = 256 * 1024;

/** Work in slices. The caller drives it and lets other work run after each `yield`. */
export type Slices<T> = Generator<undefined, T>;

/**
 * The ends of values by their starts, for the members of an object and of the objects in it. With
 * them a second scan takes no time. An object with more than `MAX_MEMBERS` members has only its own
 * end, and the scan stops if the first object has more.
 */
export function* endsIn(text: string): Slices<ReadonlyMap<number, number>> {
  const ends = new Map<number, number>();
  const scan = new JsonScan(text);
  let at = scan.firstMember(scan.skipSpace(0));
  for (let members = 0; at >= 0 && members < MAX_MEMBERS; members++)
    at = scan.nextMember(yield* valueEnds(scan, at, ends));
  return ends;
}

function* valueEnds(scan: JsonScan, start: number, ends: Map<number, number>): Slices<number> {
  const inner = scan.text[start] === '{' ? scan.firstMember(start) : NOWHERE;
  let end: number;
  if (inner === NOWHERE) end = yield* scan.skipLongValue(start);
  else {
    let at = inner;
    for (let members = 0; at >= 0 && members < MAX_MEMBERS; members++) {
      const valueEnd = yield* scan.skipLongValue(at);
      ends.set(at, valueEnd);
      at = scan.nextMember(valueEnd);
    }
    if (at === NO_MORE) end = scan.objectEnd;
    else end = at === NOWHERE ? NOWHERE : yield* new JsonScan(scan.text).skipLongValue(start);
  }
  ends.set(start, end);
  return end;
}

/** The result of `listIn`. */
export interface LongList {
  /** Each as text. */
  readonly elements: readonly string[];
  /** The text of another member. */
  readonly other: string | undefined;
}

/**
 * The elements of the array `key` of an object, and the member `other`; `undefined` if there is no
 * such array.
 */
export function* listIn(text: string, key: string, other: string): Slices<LongList | undefined> {
  const scan = new JsonScan(text);
  let elements: string[] | undefined;
  let otherText: string | undefined;
  let at = scan.firstMember(scan.skipSpace(0));
  while (at >= 0) {
    const { key: found } = scan;
    let end: number;
    if (found === key) {
      elements = [];
      end = yield* longElements(scan, at, elements);
    } else {
      end = yield* scan.skipLongValue(at);
      if (found === other) otherText = text.slice(at, end);
    }
    at = scan.nextMember(end);
  }
  return at === NO_MORE && elements ? { elements, other: otherText } : undefined;
}

function* longElements(scan: JsonScan, start: number, elements: string[]): Slices<number> {
  let at = scan.firstElement(start);
  while (at >= 0) {
    const end = yield* scan.skipLongValue(at);
    elements.push(scan.text.slice(at, end));
    if (elements.length % 64 === 0) yield;
    at = scan.nextElement(end);
  }
  return at === NO_MORE ? scan.objectEnd : NOWHERE;
}
