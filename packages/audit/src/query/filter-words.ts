/** Builds a filter from words, as in a command line or in the query of a URL. */

import { RISKS, type Risk } from '@callsign/effects';

import { SEVERITIES, type Severity } from '../record/audit-record.js';
import type { AuditFilter } from '../store/audit-filter.js';

/** The words that a filter understands. All are optional. */
export const FILTER_WORDS = [
  'since',
  'until',
  'server',
  'tool',
  'risk',
  'severity',
  'outcome',
  'caller',
  'client',
  'decision',
  'script',
  'account',
  'text',
] as const;

/** Words as they were written. `filterFrom` checks their values. */
export type FilterWords = {
  readonly [word in (typeof FILTER_WORDS)[number]]?: string | undefined;
};

/** The values of the word `decision`. */
export const DECISION_WORDS = ['allow', 'confirm', 'dry-run', 'deny'] as const;

/** A word has a value that it cannot have. */
export class FilterError extends RangeError {}

/** Throws a `FilterError`. `prefix`: what users write before the words, such as `--`. */
export function filterFrom(words: FilterWords, prefix = ''): AuditFilter {
  const { since, until, risk, severity, decision, server, tool, outcome } = words;
  const { caller, client, script, account, text } = words;
  const filter = {
    since: since === undefined ? undefined : momentOf(`${prefix}since`, since),
    until: until === undefined ? undefined : momentOf(`${prefix}until`, until),
    server,
    tool,
    risk: risk === undefined ? undefined : wordOf<Risk>(`${prefix}risk`, risk, RISKS),
    severity:
      severity === undefined
        ? undefined
        : wordOf<Severity>(`${prefix}severity`, severity, SEVERITIES),
    outcome,
    caller,
    client,
    decision:
      decision === undefined ? undefined : wordOf(`${prefix}decision`, decision, DECISION_WORDS),
    script,
    account,
    text,
  };
  return Object.fromEntries(Object.entries(filter).filter(([, value]) => value !== undefined));
}

const UNITS: ReadonlyMap<string, number> = new Map([
  ['s', 1_000],
  ['m', 60_000],
  ['h', 3_600_000],
  ['d', 86_400_000],
]);

function momentOf(name: string, text: string): Date {
  const [, count, unit = ''] = /^(\d{1,6})([smhd])$/.exec(text) ?? [];
  const time =
    count === undefined ? Date.parse(text) : Date.now() - Number(count) * UNITS.get(unit)!;
  // A bare number could be a year or milliseconds, so it is refused.
  if (Number.isNaN(time) || /^\d+$/.test(text) || !hasRealDay(text)) {
    throw new FilterError(
      `${name} takes a date such as 2026-11-15T09:30, or 30m, 2h, 7d, not "${text}".`,
    );
  }
  return new Date(time);
}

/** `Date.parse` turns the 30th of February into a day of March. */
function hasRealDay(text: string): boolean {
  const [, year, month, day] = /^(\d{4})[-/](\d{1,2})[-/](\d{1,2})(?!\d)/.exec(text) ?? [];
  if (year === undefined) return true;
  const date = new Date(Date.UTC(Number(year), Number(month) - 1, Number(day)));
  return date.getUTCMonth() === Number(month) - 1 && date.getUTCDate() === Number(day);
}

function wordOf<T extends string>(name: string, text: string, words: readonly T[]): T {
  const known = words.find((each) => each === text);
  if (known !== undefined) return known;
  throw new FilterError(`${name} takes ${words.join(', ')}, not "${text}".`);
}
