/** A filter as SQL. It means the same as `filterMatcher`; the contract of stores compares the two. */

import { type AuditFilter, severitiesOf } from './audit-filter.js';

export interface Condition {
  /** After `WHERE`. */
  readonly sql: string;
  readonly values: readonly string[];
}

export function callCondition(filter: AuditFilter): Condition {
  const parts = timeParts(filter);
  for (const column of ['server', 'risk', 'outcome', 'caller', 'client', 'decision'] as const) {
    const value = filter[column];
    if (value !== undefined) parts.push([`${column} = ?`, [value]]);
  }
  const { tool, text } = filter;
  if (tool !== undefined) {
    // A pattern without wildcards can use an index.
    parts.push(/[*?]/.test(tool) ? ['tool GLOB ?', [globOf(tool)]] : ['tool = ?', [tool]]);
  }
  if (text !== undefined) {
    const like = `%${text.replaceAll(/[\\%_]/g, '\\$&')}%`;
    const each = ['tool', 'name', 'rule', 'arguments'].map((name) => `${name} LIKE ? ESCAPE '\\'`);
    parts.push([`(${each.join(' OR ')})`, each.map(() => like)]);
  }
  return conditionOf(parts);
}

export function eventCondition(filter: AuditFilter): Condition {
  return conditionOf(timeParts(filter));
}

type Part = readonly [sql: string, values: readonly string[]];

function timeParts(filter: AuditFilter): Part[] {
  const parts: Part[] = [];
  const { since, until, severity } = filter;
  if (since) parts.push(['time >= ?', [since.toISOString()]]);
  if (until) parts.push(['time < ?', [until.toISOString()]]);
  if (severity !== undefined) {
    const severities = severitiesOf(filter);
    parts.push([`severity IN (${severities.map(() => '?').join(', ')})`, severities]);
  }
  return parts;
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
