/** Records of all journals from a position on, in the order of each journal. */

import { journalsIn, sizeOf } from '../journal/journal-folder.js';
import { recordOf } from '../journal/line-head.js';
import { readLines } from '../journal/read-lines.js';
import type { AuditRecord } from '../record/audit-record.js';
import { isMissing } from '../record/trouble.js';
import type { Position } from '../store/audit-store.js';

/** How far each journal was read. */
export type Positions = Map<string, Position>;

export interface FollowedRecord {
  readonly journal: string;
  readonly record: AuditRecord;
  /** The line as it is in the file. */
  readonly line: string;
  /** After this record. */
  readonly position: Position;
}

/** The ends of all journals. */
export function endsOf(folder: string): Positions {
  const ends: Positions = new Map();
  for (const { name, parts } of journalsIn(folder)) {
    const last = parts.at(-1);
    if (last) ends.set(name, { part: last.part, offset: wholeSize(last.path) });
  }
  return ends;
}

/** What there is now beyond the positions. Does not change them. */
export function* recordsAfter(folder: string, positions: Positions): Iterable<FollowedRecord> {
  for (const { name, parts } of journalsIn(folder)) {
    const from = positions.get(name);
    for (const { part, path } of parts) {
      if (part < (from?.part ?? 0)) continue;
      const offset = part === from?.part ? from.offset : 0;
      if ((sizeOf(path) ?? 0) <= offset) continue;
      try {
        for (const { text, end, isWhole } of readLines(path, offset)) {
          if (!isWhole) break;
          const record = recordOf(text);
          const position = { part, offset: end };
          if (record) yield { journal: name, record, line: text, position };
        }
      } catch (error) {
        // Deleted for its age meanwhile.
        if (!isMissing(error)) throw error;
      }
    }
  }
}

/** The bytes of a file up to its last line feed. */
function wholeSize(path: string): number {
  const size = sizeOf(path) ?? 0;
  let whole = 0;
  for (const { end, isWhole } of readLines(path)) if (isWhole) whole = end;
  return Math.min(whole, size);
}
