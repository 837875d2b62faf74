/** A record together with its place in the chain. */

import type { AuditRecord } from './audit-record.js';
import { linesOf, type Segment } from './chain.js';
import { recordOf, type Row, type SharedMembers } from './record-row.js';

/** The hashes are those of its segment, and `body` is its line in it. */
export interface PlacedRecord extends Segment {
  readonly record: AuditRecord;
}

/** Without what somebody made unreadable; verifying the chain finds that. */
export function recordsIn(segment: Segment): PlacedRecord[] {
  const { prev, hash } = segment;
  const lines = linesOf(segment);
  const first = segment.seq - lines.length + 1;
  const common: SharedMembers[] = [];
  return lines.flatMap((body, i) => {
    const record = parsed(body, common);
    return record ? [{ seq: first + i, prev, hash, body, record }] : [];
  });
}

function parsed(line: string, common: SharedMembers[]): AuditRecord | undefined {
  try {
    const value = JSON.parse(line) as AuditRecord | [number | SharedMembers, ...Row];
    if (!Array.isArray(value)) return typeof value.time === 'string' ? value : undefined;
    const [shared, ...row] = value;
    if (typeof shared === 'number') return recordOf(common[shared]!, row);
    common.push(shared);
    return recordOf(shared, row);
  } catch {
    return undefined;
  }
}
