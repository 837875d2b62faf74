/** Finds a record of a journal by its number without reading the whole journal. Numbers grow from line to line. */

import { closeSync, fstatSync, openSync, readSync } from 'node:fs';

import { isMissing } from '../record/trouble.js';
import type { PartFile } from './journal-folder.js';
import { lineHead } from './line-head.js';
import type { Position } from './position.js';

const NEWLINE = 10;
/** A part of a file that is read as a whole. */
const SMALL_BYTES = 256 * 1024;
/** Lines are shorter, except very few. Those are passed over by reading more. */
const LOOK_BYTES = 64 * 1024;

/** A line start at or before the record. `undefined`: no part begins before it. */
export function nearLine(parts: readonly PartFile[], n: number): Position | undefined {
  for (const { part, path } of parts.toReversed()) {
    const file = opened(path);
    if (file === undefined) continue;
    try {
      const first = lineAfter(file, 0);
      if (first && first.n <= n) return { part, offset: search(file, fstatSync(file).size, n) };
    } finally {
      closeSync(file);
    }
  }
  return undefined;
}

/** `undefined`: the file was deleted for its age. */
function opened(path: string): number | undefined {
  try {
    return openSync(path, 'r');
  } catch (error) {
    if (isMissing(error)) return undefined;
    throw error;
  }
}

function search(file: number, size: number, n: number): number {
  let from = 0;
  let to = size;
  while (to - from > SMALL_BYTES) {
    const middle = from + Math.floor((to - from) / 2);
    const line = lineAfter(file, middle);
    if (line && line.n <= n && line.start < to) from = line.start;
    else to = middle;
  }
  return from;
}

/** The first line that begins at an offset or after it, if its head can be read there. */
function lineAfter(file: number, offset: number): { start: number; n: number } | undefined {
  // From the byte before: if that ends a line, the next one begins at the offset.
  const from = Math.max(0, offset - 1);
  const bytes = Buffer.allocUnsafe(LOOK_BYTES);
  const text = bytes.subarray(0, readSync(file, bytes, 0, LOOK_BYTES, from));
  const start = offset === 0 ? 0 : text.indexOf(NEWLINE) + 1;
  if (offset > 0 && start === 0) return undefined;
  const head = lineHead(text.toString('latin1', start));
  return head && { start: from + start, n: head.n };
}
