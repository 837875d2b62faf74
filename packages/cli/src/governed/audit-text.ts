/** Records of the audit log for people: one line each, or everything about one. */

import type { AuditRecord, PlacedRecord, Severity } from '@callsign/audit/query';

import { RISK_TINTS } from '../fleet/risk-mark.js';
import { onOneLine } from '@callsign/terminal';
import type { Paint, Tint, Column } from '@callsign/terminal';

const TINTS: Readonly<Record<Severity, Tint | undefined>> = {
  info: undefined,
  notice: 'cyan',
  warning: 'yellow',
  error: 'red',
};

export const RECORD_COLUMNS: readonly Column<PlacedRecord>[] = [
  { title: 'SEQ', text: ({ seq }) => String(seq) },
  { title: 'TIME', text: ({ record }) => timeText(record) },
  { title: 'TOOL', text: ({ record }) => aboutText(record), tint: () => 'bold' },
  {
    title: 'RISK',
    text: ({ record }) => ('risk' in record ? (record.risk ?? '') : ''),
    tint: ({ record }) => ('risk' in record && record.risk ? RISK_TINTS[record.risk] : undefined),
  },
  { title: 'CALLER', text: ({ record }) => callerText(record) },
  {
    title: 'OUTCOME',
    text: ({ record }) => outcomeText(record),
    tint: ({ record }) => TINTS[record.severity],
  },
  {
    title: 'MS',
    text: ({ record }) => (record.kind === 'call' ? Number(record.ms).toFixed(1) : ''),
  },
];

/** One line, for records that come one by one. */
export function recordLine({ seq, record }: PlacedRecord, paint: Paint): string {
  const tint = TINTS[record.severity];
  const outcome = onOneLine(outcomeText(record));
  const parts = [
    String(seq),
    timeText(record),
    paint('bold', onOneLine(aboutText(record))),
    onOneLine(callerText(record)),
    tint ? paint(tint, outcome) : outcome,
  ];
  return parts.filter((part) => part !== '').join('  ');
}

/** Every member of a record with its value. */
export function recordLines({ seq, hash, record }: PlacedRecord, paint: Paint): string[] {
  const { kind, ...members } = record;
  const width = Math.max(...Object.keys(members).map((name) => name.length), 'hash'.length);
  const line = (name: string, value: unknown): string =>
    `  ${paint('dim', name.padEnd(width))} ${onOneLine(typeof value === 'string' ? value : JSON.stringify(value))}`;
  return [
    paint('bold', `${seq} ${kind}`),
    ...Object.entries(members)
      .filter(([, value]) => value !== undefined)
      .map(([name, value]) => line(name, value)),
    line('hash', hash),
  ];
}

/** To the second, in UTC as it is written. */
function timeText({ time }: AuditRecord): string {
  return time.replace(/\.\d+Z$/, 'Z');
}

function aboutText(record: AuditRecord): string {
  return 'tool' in record ? record.tool : `(${record.kind})`;
}

function callerText(record: AuditRecord): string {
  if (!('caller' in record)) return '';
  const { principal, client } = record.caller;
  return principal === undefined ? client : `${principal} (${client})`;
}

function outcomeText(record: AuditRecord): string {
  switch (record.kind) {
    case 'call':
      return record.outcome;
    case 'intent':
      return 'not ended';
    case 'gap':
      return `${record.lost} not recorded: ${record.reason}`;
    case 'pruned':
      return `${record.count} deleted`;
    case 'alarm':
      return record.reason;
  }
}
