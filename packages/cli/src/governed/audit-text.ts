/** Records for people: one line each, or everything about one. */

import type { AuditRow } from '@callsign/audit';
import type { Severity, ShownRecord } from '@callsign/audit/query';

import { RISK_TINTS } from '../fleet/risk-mark.js';
import { onOneLine } from '@callsign/terminal';
import type { Paint, Tint, Column } from '@callsign/terminal';

const TINTS: Readonly<Record<Severity, Tint | undefined>> = {
  info: undefined,
  notice: 'cyan',
  warning: 'yellow',
  error: 'red',
};

export const ROW_COLUMNS: readonly Column<AuditRow>[] = [
  { title: 'ID', text: ({ id }) => id },
  { title: 'TIME', text: ({ time }) => timeText(time) },
  { title: 'TOOL', text: aboutText, tint: () => 'bold' },
  {
    title: 'RISK',
    text: (row) => (row.kind === 'call' ? (row.risk ?? '') : ''),
    tint: (row) => (row.kind === 'call' && row.risk ? RISK_TINTS[row.risk] : undefined),
  },
  { title: 'CALLER', text: callerText },
  { title: 'OUTCOME', text: outcomeText, tint: ({ severity }) => TINTS[severity] },
  { title: 'MS', text: (row) => (row.kind === 'call' ? msText(row.ms) : '') },
];

/** One line, for records that come one by one. */
export function rowLine(row: AuditRow, paint: Paint): string {
  const tint = TINTS[row.severity];
  const outcome = onOneLine(outcomeText(row));
  const parts = [
    row.id,
    timeText(row.time),
    paint('bold', onOneLine(aboutText(row))),
    onOneLine(callerText(row)),
    tint ? paint(tint, outcome) : outcome,
  ];
  return parts.filter((part) => part !== '').join('  ');
}

/** Every member of a record with its value. */
export function recordLines({ journal, record }: ShownRecord, paint: Paint): string[] {
  const { kind, id, ...members } = { ...record, journal };
  const width = Math.max(...Object.keys(members).map((name) => name.length));
  const line = (name: string, value: unknown): string =>
    `  ${paint('dim', name.padEnd(width))} ${onOneLine(typeof value === 'string' ? value : JSON.stringify(value))}`;
  return [
    paint('bold', `${id} ${kind}`),
    ...Object.entries(members)
      .filter(([, value]) => value !== undefined)
      .map(([name, value]) => line(name, value)),
  ];
}

export function msText(ms: number | null | undefined): string {
  return ms === null || ms === undefined ? '' : ms.toFixed(1);
}

/** To the second, in UTC as it is written. */
function timeText(time: string): string {
  return time.replace(/\.\d+Z$/, 'Z');
}

function aboutText(row: AuditRow): string {
  return row.kind === 'call' ? row.tool : `(${row.kind})`;
}

function callerText(row: AuditRow): string {
  if (row.kind !== 'call') return '';
  return row.caller === null ? row.client : `${row.caller} (${row.client})`;
}

function outcomeText(row: AuditRow): string {
  switch (row.kind) {
    case 'call':
      return row.outcome ?? 'not ended';
    case 'gap':
      return `${row.count} not recorded: ${row.reason}`;
    case 'pruned':
      return `${row.count} deleted`;
    case 'lost-end':
      return `${row.count} lost: ${row.reason}`;
    default:
      return row.reason;
  }
}
