/**
 * Canonical JSON: sorted keys, no white space, one spelling of each string. Frozen: hashes in lock
 * files depend on it.
 */

import { JsonScan, NOWHERE } from '@callsign/core';

/** Deeper than any text that is accepted. */
const MAX_DEPTH = 600;

/**
 * The canonical text of a value; `undefined` if it is not JSON. Numbers keep their spelling and
 * duplicate keys stay, since parsers disagree about them. `keeps` filters the members of the
 * outermost object.
 */
export function canonicalJson(
  text: string,
  keeps: (key: string) => boolean = () => true,
): string | undefined {
  const scan = new JsonScan(text);
  const parts = { text: '' };
  const end = write(scan, scan.skipSpace(0), parts, keeps, 0);
  return end === NOWHERE || scan.skipSpace(end) !== text.length ? undefined : parts.text;
}

/** Writes the value that starts here and returns its end. */
function write(
  scan: JsonScan,
  start: number,
  out: { text: string },
  keeps: ((key: string) => boolean) | undefined,
  depth: number,
): number {
  if (depth > MAX_DEPTH) return NOWHERE;
  const first = scan.text[start];
  const inner = (at: number): { readonly end: number; readonly text: string } => {
    const value = { text: '' };
    return { end: write(scan, at, value, undefined, depth + 1), text: value.text };
  };
  if (first === '{') {
    const members: [key: string, value: string][] = [];
    const end = scan.visitObject(start, (key, at) => {
      const value = inner(at);
      if (keeps?.(key) !== false) members.push([key, value.text]);
      return value.end;
    });
    const sorted = members.toSorted(([a], [b]) => (a < b ? -1 : Number(a > b)));
    out.text += `{${sorted.map(([key, value]) => `${JSON.stringify(key)}:${value}`).join(',')}}`;
    return end;
  }
  if (first === '[') {
    const elements: string[] = [];
    const end = scan.visitArray(start, (at) => {
      const value = inner(at);
      elements.push(value.text);
      return value.end;
    });
    out.text += `[${elements.join(',')}]`;
    return end;
  }
  const end = scan.skipValue(start);
  const scalar = end === NOWHERE ? '' : scan.text.slice(start, end);
  out.text += first === '"' && end !== NOWHERE ? JSON.stringify(JSON.parse(scalar)) : scalar;
  return end;
}
