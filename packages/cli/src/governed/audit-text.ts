/** Records of the audit log for people: one line each, or everything about one. */

import type { AuditRecord, PlacedRecord, Severity } from '@callsign/audit/query';

import type { Risk } from '@callsign/annotations';
import { onOneLine } from '@callsign/terminal';
import type { Column, Output, Paint, Meaning } from '@callsign/terminal';

import { outcomeMeaning } from '@callsign/gateway/live-log';

type Sheet = Pick<Output, 'paint' | 'time'>;

export function recordColumns({ time }: Sheet): readonly Column<PlacedRecord>[] {
  return [
    { title: 'SEQ', text: ({ seq }) => String(seq) },
    { title: 'TIME', text: ({ record }) => time(record.time), isWhole: true },
    {
      title: 'TOOL',
      text: ({ record }) => aboutText(record),
      tint: () => 'name',
      isWhole: true,
    },
    {
      title: 'RISK',
      text: ({ record }) => riskOf(record) ?? '',
      tint: ({ record }) => riskOf(record),
    },
    { title: 'CALLER', text: ({ record }) => callerText(record), isOptional: true },
    { title: 'OUTCOME', text: ({ record }) => outcomeText(record), tint: recordTint },
    {
      title: 'MS',
      text: ({ record }) => (record.kind === 'call' ? Number(record.ms).toFixed(1) : ''),
      isOptional: true,
    },
  ];
}

function riskOf(record: AuditRecord): Risk | undefined {
  return 'risk' in record ? (record.risk ?? undefined) : undefined;
}

/** A call by how it ended, anything else by how much it matters. */
function recordTint({ record }: PlacedRecord): Meaning | undefined {
  if (record.kind === 'call') return outcomeMeaning(record.outcome);
  return record.kind === 'intent' ? 'aside' : SEVERITY_TINTS[record.severity];
}

const SEVERITY_TINTS: Readonly<Record<Severity, Meaning | undefined>> = {
  info: undefined,
  notice: undefined,
  warning: 'warning',
  error: 'bad',
};

/** One line, for records that come one by one. */
export function recordLine(placed: PlacedRecord, { paint, time }: Sheet): string {
  const { seq, record } = placed;
  const tint = recordTint(placed);
  const risk = riskOf(record);
  const outcome = onOneLine(outcomeText(record));
  const parts = [
    String(seq),
    time(record.time),
    paint('name', onOneLine(aboutText(record))),
    risk === undefined ? '' : paint(risk, risk),
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
    `  ${paint('aside', name.padEnd(width))} ${onOneLine(typeof value === 'string' ? value : JSON.stringify(value))}`;
  return [
    paint('name', `${seq} ${kind}`),
    ...Object.entries(members)
      .filter(([, value]) => value !== undefined)
      .map(([name, value]) => line(name, value)),
    line('hash', hash),
  ];
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
