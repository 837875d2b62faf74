/**
 * Writes records for other programs: as CSV for spreadsheets. JSON lines are exported as they are
 * in the journal.
 */

import type { AuditRecord } from '../record/audit-record.js';

/** Programs read these columns: add new ones at the end only. */
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
  'script',
  'account',
  'waitedMs',
] as const;

export const CSV_HEAD: string = CSV_COLUMNS.join(',');

export function toCsvLine(record: AuditRecord): string {
  const values = new Map<string, unknown>(Object.entries(record));
  if ('evidence' in record) values.set('evidence', record.evidence?.by);
  if ('arguments' in record) values.set('arguments', JSON.stringify(record.arguments));
  return CSV_COLUMNS.map((column) => cell(values.get(column))).join(',');
}

/** Some spreadsheets read the wide forms of the signs as the signs. */
const FORMULA = /^[=+\-@\t\r\uFF0B\uFF0D\uFF1D\uFF20]/;

/** Names come from servers, so a spreadsheet must not read them as formulas. */
function cell(value: unknown): string {
  if (value === undefined) return '';
  const text = String(value);
  const safe = typeof value === 'string' && FORMULA.test(text) ? `'${text}` : text;
  return /[",\r\n]/.test(safe) ? `"${safe.replaceAll('"', '""')}"` : safe;
}
