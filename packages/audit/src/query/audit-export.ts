/** Records as text for other programs: the lines of the journals, or a table for spreadsheets. */

import type { AuditRecord } from '../record/audit-record.js';

const CSV_COLUMNS = [
  'id',
  'time',
  'kind',
  'severity',
  'server',
  'tool',
  'name',
  'method',
  'risk',
  'evidence',
  'caller',
  'client',
  'clientVersion',
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
  'journal',
  'reason',
  'count',
] as const;

export const CSV_HEAD: string = CSV_COLUMNS.join(',');

export function toCsvLine(record: AuditRecord): string {
  const values = new Map<string, unknown>(Object.entries(record));
  if ('evidence' in record) values.set('evidence', record.evidence?.by);
  if ('arguments' in record) values.set('arguments', JSON.stringify(record.arguments));
  return CSV_COLUMNS.map((column) => cell(values.get(column))).join(',');
}

/** Names come from servers. A spreadsheet must not read one as a formula. */
function cell(value: unknown): string {
  if (value === undefined) return '';
  const text = String(value);
  const safe = typeof value === 'string' && /^[=+\-@\t\r]/.test(text) ? `'${text}` : text;
  return /[",\r\n]/.test(safe) ? `"${safe.replaceAll('"', '""')}"` : safe;
}
