/** Records as text for other programs: JSON with the whole chain, or a table. */

import type { AuditRecord } from '../record/audit-record.js';
import type { PlacedRecord } from '../store/placed-record.js';

export const CSV_COLUMNS = [
  'seq',
  'time',
  'kind',
  'severity',
  'tool',
  'name',
  'method',
  'risk',
  'riskFrom',
  'principal',
  'client',
  'session',
  'decision',
  'rule',
  'outcome',
  'ms',
  'retries',
  'sizeIn',
  'sizeOut',
  'fingerprint',
  'arguments',
  'intent',
  'id',
  'lost',
  'reason',
  'hash',
] as const;

/** The record, and what it takes to check its segment: `hash` is that of `prev` and all `body` that have it, a line each. */
export function toJsonLine({ seq, prev, hash, body, record }: PlacedRecord): string {
  return JSON.stringify({ seq, prev, hash, body, record });
}

export function toCsvLine({ seq, hash, record }: PlacedRecord): string {
  const values = new Map<string, unknown>(Object.entries({ ...record, ...callerOf(record) }));
  values.set('seq', seq).set('hash', hash);
  return CSV_COLUMNS.map((column) => cell(values.get(column))).join(',');
}

function callerOf(record: AuditRecord): object {
  return 'caller' in record ? record.caller : {};
}

/** Names come from servers: a spreadsheet must not take one for a formula. */
function cell(value: unknown): string {
  if (value === undefined) return '';
  const text = String(value);
  const tame = typeof value === 'string' && /^[=+\-@\t\r]/.test(text) ? `'${text}` : text;
  return /[",\r\n]/.test(tame) ? `"${tame.replaceAll('"', '""')}"` : tame;
}
