/** Reads the records of all journals from a position on, in the order of each journal. */

import type { JournalSource } from '../journal/journal-source.js';
import type { Position, Positions } from '../journal/position.js';
import { recordOf } from '../journal/line-head.js';
import type { AuditRecord } from '../record/audit-record.js';

export interface FollowedRecord {
  readonly journal: string;
  readonly record: AuditRecord;
  /** The line as it was written. */
  readonly line: string;
  /** The place after this record. */
  readonly position: Position;
}

/** The records that exist now beyond the positions, in pieces. Does not change the positions. */
export async function* recordsAfter(
  source: JournalSource,
  positions: Positions,
): AsyncIterable<readonly FollowedRecord[]> {
  for (const journal of await source.journals()) {
    for await (const { part, lines } of journal.lines(positions.get(journal.name))) {
      yield lines.flatMap(({ text, end, isWhole }) => {
        const record = isWhole ? recordOf(text) : undefined;
        if (!record) return [];
        const position = { part, offset: end };
        return { journal: journal.name, record, line: text, position };
      });
    }
  }
}
