/** Lines on their way into segments: what they have in common is written once in each. */

import type { Line } from './audit-store.js';

/** Short enough that little is read for one record, and little is kept too long for one that is young. */
const LONGEST = 64 * 1024;

/**
 * The lines of one segment after another. A line without a common part is a record as it is; any other
 * is an array, whose first element is the common part, or the number of one that was there before.
 */
export function segmentLines(lines: readonly Line[]): string[][] {
  const segments: string[][] = [];
  const numbers = new Map<string, number>();
  let current: string[] = [];
  let length = LONGEST;
  for (const { shared, body } of lines) {
    if (length >= LONGEST) {
      segments.push((current = []));
      numbers.clear();
      length = 0;
    }
    let text = body;
    if (shared !== undefined) {
      const number = numbers.get(shared);
      if (number === undefined) numbers.set(shared, numbers.size);
      text = `[${number ?? shared},${body}]`;
    }
    current.push(text);
    length += text.length;
  }
  return segments;
}
