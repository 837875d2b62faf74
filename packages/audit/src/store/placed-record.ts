/** A record together with its place in the chain. */

import type { AuditRecord } from '../record/audit-record.js';
import { linesOf, type Segment } from './chain.js';
import { RowReader, type SharedAndRow } from '../record/record-row.js';

/** The hashes are those of its segment, and `body` is its line in it. */
export interface PlacedRecord extends Segment {
  readonly record: AuditRecord;
}

/** One after the other, without what somebody made unreadable; verifying the chain finds that. */
export function* recordsIn(segment: Segment): Generator<PlacedRecord> {
  const { prev, hash } = segment;
  const lines = linesOf(segment);
  const rows = new RowReader();
  let seq = segment.seq - lines.length;
  for (const body of lines) {
    seq++;
    const record = readLine(body, rows);
    if (record) yield { seq, prev, hash, body, record };
    else rows.lose();
  }
}

function readLine(line: string, rows: RowReader): AuditRecord | undefined {
  try {
    const value = JSON.parse(line) as AuditRecord | SharedAndRow;
    if (isRow(value)) return rows.read(value);
    if (typeof value.time !== 'string') return undefined;
    rows.pass();
    return value;
  } catch {
    return undefined;
  }
}

function isRow(value: AuditRecord | SharedAndRow): value is SharedAndRow {
  return Array.isArray(value);
}
