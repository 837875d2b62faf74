/**
 * A filter as SQL. It means the same as `filterMatcher`. The contract tests of stores compare the
 * two.
 */

import { type AuditFilter, EXACT_FILTERS, periodOf, severitiesOf } from './audit-filter.js';

export interface Condition {
  /** What comes after `WHERE`. */
  readonly sql: string;
  readonly values: readonly string[];
}

/** The condition on `call_records`. Facts are searched in their own small table. */
export function callCondition(filter: AuditFilter): Condition {
  const facts = factParts(filter);
  const parts = timeParts(filter);
  if (filter.text !== undefined) parts.push(textPart(filter.text));
  if (facts.length > 0) {
    const { sql, values } = conditionOf(facts);
    parts.push([`fact IN (SELECT fact FROM call_facts WHERE ${sql})`, values]);
  }
  return conditionOf(parts);
}

/** Whether the filter selects calls by their facts. */
export function choosesFacts(filter: AuditFilter): boolean {
  return factParts(filter).length > 0;
}

/** For a row of `call_records`: whether the outcome is not `ok`. Every index contains the fact. */
export const IS_FAILED =
  "fact IN (SELECT fact FROM call_facts WHERE outcome IS NOT NULL AND outcome NOT IN ('ok', 'dry-run'))";

export function eventCondition(filter: AuditFilter): Condition {
  return conditionOf([...timeParts(filter), ...severityParts(filter)]);
}

type Part = readonly [sql: string, values: readonly string[]];

function factParts(filter: AuditFilter): Part[] {
  const parts = severityParts(filter);
  for (const column of EXACT_FILTERS) {
    const value = filter[column];
    if (value !== undefined) parts.push([`${column} = ?`, [value]]);
  }
  if (filter.tool !== undefined) parts.push(['tool GLOB ?', [globOf(filter.tool)]]);
  return parts;
}

/** Ignores case. */
function matches(column: string): string {
  return String.raw`${column} LIKE ? ESCAPE '\'`;
}

function textPart(text: string): Part {
  const like = `%${text.replaceAll(/[\\%_]/g, String.raw`\$&`)}%`;
  const facts = ['tool', 'name', 'rule'].map(matches).join(' OR ');
  return [
    `(fact IN (SELECT fact FROM call_facts WHERE ${facts}) OR ${matches('arguments')})`,
    [like, like, like, like],
  ];
}

function timeParts(filter: AuditFilter): Part[] {
  const { since, until } = periodOf(filter);
  const parts: Part[] = [];
  if (since) parts.push(['time >= ?', [since]]);
  if (until) parts.push(['time < ?', [until]]);
  return parts;
}

function severityParts(filter: AuditFilter): Part[] {
  if (filter.severity === undefined) return [];
  const severities = severitiesOf(filter);
  return [[`severity IN (${severities.map(() => '?').join(', ')})`, severities]];
}

function conditionOf(parts: readonly Part[]): Condition {
  if (parts.length === 0) return { sql: 'TRUE', values: [] };
  return {
    sql: parts.map(([sql]) => sql).join(' AND '),
    values: parts.flatMap(([, values]) => values),
  };
}

/** In SQLite a bracket begins a set, so it is escaped. */
function globOf(glob: string): string {
  return glob.replaceAll('[', '[[]');
}
