/** Records for people: one line each, or everything about one. */

import type { StoredRecord } from '@callsign/audit';
import { tokensOfLength } from '@callsign/core';
import { type Placed, scriptTree } from '@callsign/core/script-tree';
import type { Severity, ShownRecord } from '@callsign/audit/query';
import type { Risk } from '@callsign/effects';
import { outcomeMeaning } from '@callsign/gateway/telemetry/live-log';
import { type Column, type Meaning, onOneLine, type Output, type Paint } from '@callsign/terminal';

const SEVERITY_MEANINGS: Readonly<Record<Severity, Meaning | undefined>> = {
  info: undefined,
  notice: undefined,
  warning: 'warning',
  error: 'bad',
};

type Sheet = Pick<Output, 'paint' | 'time'>;

/** Calls of scripts are beneath the call that ran them. */
export function recordTable(rows: readonly StoredRecord[], out: Output): void {
  const hasAccounts = rows.some((row) => row.kind === 'call' && row.account !== null);
  out.table(scriptTree(rows), [...recordColumns(out), ...(hasAccounts ? [ACCOUNT] : [])]);
}

/** Only where calls used accounts of callers. */
const ACCOUNT: Column<Placed<StoredRecord>> = {
  title: 'ACCOUNT',
  text: ({ row }) => (row.kind === 'call' ? (row.account ?? '') : ''),
  isOptional: true,
};

function recordColumns({ time }: Sheet): readonly Column<Placed<StoredRecord>>[] {
  return [
    { title: 'ID', text: ({ row }) => row.id, isWhole: true },
    { title: 'TIME', text: ({ row }) => time(row.time), isWhole: true },
    { title: 'TOOL', text: placedText, tint: () => 'name', isWhole: true },
    { title: 'RISK', text: ({ row }) => riskOf(row) ?? '', tint: ({ row }) => riskOf(row) },
    { title: 'CALLER', text: ({ row }) => callerText(row), isOptional: true },
    { title: 'OUTCOME', text: ({ row }) => outcomeText(row), tint: ({ row }) => meaningOf(row) },
    {
      title: 'MS',
      text: ({ row }) => (row.kind === 'call' ? msText(row.ms) : ''),
      isOptional: true,
    },
  ];
}

function placedText({ row, place }: Placed<StoredRecord>): string {
  const about = aboutText(row);
  if (row.kind !== 'call' || place === 'alone') return about;
  if (place === 'run') return `${about} ${row.script}`;
  return `${place === 'last' ? '└' : '├'} ${about}`;
}

function riskOf(row: StoredRecord): Risk | undefined {
  return row.kind === 'call' ? (row.risk ?? undefined) : undefined;
}

/** The colour of a record: for a call by its outcome, otherwise by its severity. */
function meaningOf(row: StoredRecord): Meaning | undefined {
  if (row.kind !== 'call') return SEVERITY_MEANINGS[row.severity];
  return row.outcome === null || row.outcome === undefined ? 'aside' : outcomeMeaning(row.outcome);
}

/** One line, for records that come one by one. */
export function recordLine(row: StoredRecord, { paint, time }: Sheet): string {
  const meaning = meaningOf(row);
  const risk = riskOf(row);
  const outcome = onOneLine(outcomeText(row));
  const parts = [
    row.id,
    time(row.time),
    paint('name', onOneLine(aboutText(row))),
    risk === undefined ? '' : paint(risk, risk),
    onOneLine(callerText(row)),
    meaning ? paint(meaning, outcome) : outcome,
  ];
  return parts.filter((part) => part !== '').join('  ');
}

/** Every member of a record with its value, and about how many tokens a call had. */
export function recordLines({ journal, record }: ShownRecord, paint: Paint): string[] {
  const tokens =
    record.kind === 'call' ? { tokens: tokensOfLength(record.sizeIn + record.sizeOut) } : {};
  const { kind, id, ...members } = { ...record, ...tokens, journal };
  const width = Math.max(...Object.keys(members).map((name) => name.length));
  const line = (name: string, value: unknown): string =>
    `  ${paint('aside', name.padEnd(width))} ${onOneLine(typeof value === 'string' ? value : JSON.stringify(value))}`;
  return [
    paint('name', `${id} ${kind}`),
    ...Object.entries(members)
      .filter(([, value]) => value !== undefined)
      .map(([name, value]) => line(name, value)),
  ];
}

export function msText(ms: number | null | undefined): string {
  return ms === null || ms === undefined ? '' : ms.toFixed(1);
}

function aboutText(row: StoredRecord): string {
  return row.kind === 'call' ? row.tool : `(${row.kind})`;
}

function callerText(row: StoredRecord): string {
  if (row.kind !== 'call') return '';
  return row.caller === null ? row.client : `${row.caller} (${row.client})`;
}

function outcomeText(row: StoredRecord): string {
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
