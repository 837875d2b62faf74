/** A record together with its place in the chain. */

import type { AuditRecord } from './audit-record.js';
import { linesOf, type Segment } from './chain.js';
import { type Common, recordOf, type Row, type SharedMembers } from './record-row.js';

/** The hashes are those of its segment, and `body` is its line in it. */
export interface PlacedRecord extends Segment {
  readonly record: AuditRecord;
}

/** One after the other, without what somebody made unreadable; verifying the chain finds that. */
export function* recordsIn(segment: Segment): Generator<PlacedRecord> {
  const { prev, hash } = segment;
  const lines = linesOf(segment);
  const common: Common[] = [];
  let seq = segment.seq - lines.length;
  for (const body of lines) {
    seq++;
    const record = parsed(body, common);
    if (record) yield { seq, prev, hash, body, record };
  }
}

function parsed(line: string, common: Common[]): AuditRecord | undefined {
  try {
    const value = JSON.parse(line) as AuditRecord | [number | SharedMembers, ...Row];
    if (!Array.isArray(value)) return typeof value.time === 'string' ? value : undefined;
    const [shared, ...row] = value;
    if (typeof shared === 'number') return recordOf(common[shared]!, row);
    const first: Common = { members: shared, fingerprint: null };
    common.push(first);
    return recordOf(first, row);
  } catch {
    return undefined;
  }
}
