/** A record together with its place in the chain. */

import type { AuditRecord } from './audit-record.js';
import type { Link } from './chain.js';

export interface PlacedRecord extends Link {
  readonly record: AuditRecord;
}

/** `undefined` for a text that somebody made unreadable; verifying the chain finds that. */
export function placedRecord(link: Link): PlacedRecord | undefined {
  try {
    const record = JSON.parse(link.body) as AuditRecord;
    return typeof record.time === 'string' ? { ...link, record } : undefined;
  } catch {
    return undefined;
  }
}
