/**
 * Reads and changes single members of an object that otherwise stays text. Nothing is parsed and
 * written again, so numbers, order and spacing survive.
 */

import { JsonScan, NOWHERE } from './json-scan.js';

/** The position of a member's value in the text. */
export interface Range {
  readonly start: number;
  readonly end: number;
}

/**
 * The members of an object, by key; `undefined` if the text is not one valid object. The last of
 * equal keys counts.
 */
export function membersOf(text: string): Map<string, Range> | undefined {
  const members = new Map<string, Range>();
  const scan = new JsonScan(text);
  const end = scan.visitObject(scan.skipSpace(0), (key, start) => {
    const valueEnd = scan.skipValue(start);
    members.set(key, { start, end: valueEnd });
    return valueEnd;
  });
  return end === NOWHERE || scan.skipSpace(end) !== text.length ? undefined : members;
}

/**
 * The text of one member's value; `undefined` if there is none. Reads the whole object each time:
 * use `membersOf` for several members.
 */
export function memberText(text: string, key: string): string | undefined {
  const range = membersOf(text)?.get(key);
  return range && text.slice(range.start, range.end);
}

/**
 * Whether an object has a key exactly once, and no other key that differs from it only in case.
 * Otherwise a receiver might read another value than we do.
 */
export function hasOnce(text: string, key: string): boolean {
  const alike = new RegExp(`^${key}$`, 'iu');
  const found: string[] = [];
  const scan = new JsonScan(text);
  scan.visitObject(scan.skipSpace(0), (each, start) => {
    if (alike.test(each)) found.push(each);
    return scan.skipValue(start);
  });
  return found.length === 1 && found[0] === key;
}

/** The elements of an array, each as text; `undefined` if the text is not an array. */
export function elementsOf(text: string): string[] | undefined {
  const elements: string[] = [];
  const scan = new JsonScan(text);
  const end = scan.visitArray(scan.skipSpace(0), (start) => {
    const valueEnd = scan.skipValue(start);
    elements.push(text.slice(start, valueEnd));
    return valueEnd;
  });
  return end === NOWHERE || scan.skipSpace(end) !== text.length ? undefined : elements;
}

/**
 * An object's text with some members set to JSON texts. Existing members keep their place, new
 * members go to the end, and all other characters stay the same. Throws if the text is not an
 * object.
 */
export function withMembers(
  text: string,
  changes: Readonly<Record<string, string>>,
  /** The result of `membersOf`, if it is known. */
  members: ReadonlyMap<string, Range> | undefined = membersOf(text),
): string {
  if (members === undefined) throw new TypeError('only an object has members');
  const replaced = Object.keys(changes)
    .flatMap((key) => (members.has(key) ? [{ ...members.get(key)!, json: changes[key]! }] : []))
    .toSorted((a, b) => a.start - b.start);
  let result = '';
  let from = 0;
  for (const { start, end, json } of replaced) {
    result += text.slice(from, start) + json;
    from = end;
  }
  const added = Object.keys(changes)
    .filter((key) => !members.has(key))
    .map((key) => `${JSON.stringify(key)}:${changes[key]}`);
  const rest = text.slice(from);
  if (added.length === 0) return result + rest;
  const close = rest.lastIndexOf('}');
  const comma = members.size > 0 ? ',' : '';
  return result + rest.slice(0, close) + comma + added.join(',') + rest.slice(close);
}

/** An object's text without some of its members. Spaces between the others are lost. */
export function withoutMembers(
  text: string,
  keys: readonly string[],
  /** The result of `membersOf`, if it is known. */
  members: ReadonlyMap<string, Range> | undefined = membersOf(text),
): string {
  if (members === undefined || !keys.some((key) => members.has(key))) return text;
  const others = [...members].filter(([key]) => !keys.includes(key));
  return `{${others.map(([key, { start, end }]) => `${JSON.stringify(key)}:${text.slice(start, end)}`).join(',')}}`;
}
