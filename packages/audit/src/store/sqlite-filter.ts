/** A filter as SQL. It means the same as `filterMatcher`; the contract of stores compares the two. */

import { type AuditFilter, severitiesOf } from './audit-filter.js';

export interface Condition {
  /** After `WHERE`. */
  readonly sql: string;
  readonly values: readonly string[];
}

/** On `call_records`. What concerns facts is asked of the small table of facts. */
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

/** Whether the condition on `call_records` chooses calls by their facts. */
export function choosesFacts(filter: AuditFilter): boolean {
  return factParts(filter).length > 0;
}

/** Of a row of `call_records`: whether the call ended otherwise than `ok`. Every index has the fact. */
export const IS_FAILED =
  "fact IN (SELECT fact FROM call_facts WHERE outcome IS NOT NULL AND outcome <> 'ok')";

export function eventCondition(filter: AuditFilter): Condition {
  return conditionOf([...timeParts(filter), ...severityParts(filter)]);
}

type Part = readonly [sql: string, values: readonly string[]];

function factParts(filter: AuditFilter): Part[] {
  const parts = severityParts(filter);
  for (const column of ['server', 'risk', 'outcome', 'caller', 'client', 'decision'] as const) {
    const value = filter[column];
    if (value !== undefined) parts.push([`${column} = ?`, [value]]);
  }
  if (filter.tool !== undefined) parts.push(['tool GLOB ?', [globOf(filter.tool)]]);
  return parts;
}

/** Case does not count. */
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

function timeParts({ since, until }: AuditFilter): Part[] {
  const parts: Part[] = [];
  if (since) parts.push(['time >= ?', [since.toISOString()]]);
  if (until) parts.push(['time < ?', [until.toISOString()]]);
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

/** In SQLite a bracket begins a set. */
function globOf(glob: string): string {
  return glob.replaceAll('[', '[[]');
}
