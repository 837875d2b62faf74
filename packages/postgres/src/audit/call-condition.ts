/** A filter as SQL. It means the same as in the other stores; the contract of stores compares them. */

import { type AuditFilter, severitiesOf } from '@callsign/audit/store';

import type { Database } from '../database/database.js';

export interface Condition {
  /** The text after `where`. */
  readonly sql: string;
  readonly values: readonly unknown[];
}

/** A condition on `call_records`. Filters on facts use the small table `call_facts`. */
export function callCondition(database: Database, filter: AuditFilter): Condition {
  const condition = new Conjunction();
  const table = database.name('call_facts');
  addTimes(condition, filter);
  // With an array, PostgreSQL looks the facts up once and compares them in the index.
  const facts = factCondition(condition, filter);
  if (facts) condition.add(`fact = any(array(select fact from ${table} where ${facts}))`);
  if (filter.text !== undefined) {
    const like = condition.value(`%${filter.text.replaceAll(/[\\%_]/g, String.raw`\$&`)}%`);
    const named = ['tool', 'name', 'rule'].map((column) => `${column} ilike ${like}`).join(' or ');
    condition.add(
      `(fact = any(array(select fact from ${table} where ${named})) or arguments ilike ${like})`,
    );
  }
  return condition.end();
}

export function eventCondition(filter: AuditFilter): Condition {
  const condition = new Conjunction();
  addTimes(condition, filter);
  if (filter.severity !== undefined) {
    condition.add(`severity = any(${condition.value(severitiesOf(filter))})`);
  }
  return condition.end();
}

class Conjunction {
  readonly #parts: string[] = [];
  readonly #values: unknown[] = [];

  add(sql: string): void {
    this.#parts.push(sql);
  }

  value(value: unknown): string {
    this.#values.push(value);
    return `$${this.#values.length}`;
  }

  end(): Condition {
    return { sql: this.#parts.join(' and ') || 'true', values: this.#values };
  }
}

function factCondition(condition: Conjunction, filter: AuditFilter): string {
  const parts: string[] = [];
  for (const column of ['server', 'risk', 'outcome', 'caller', 'client', 'decision'] as const) {
    const value = filter[column];
    if (value !== undefined) parts.push(`${column} = ${condition.value(value)}`);
  }
  if (filter.severity !== undefined) {
    parts.push(`severity = any(${condition.value(severitiesOf(filter))})`);
  }
  if (filter.tool !== undefined) parts.push(`tool like ${condition.value(likeOf(filter.tool))}`);
  return parts.join(' and ');
}

/** Adds the day too, so that only the partitions of these days are read. */
function addTimes(condition: Conjunction, { since, until }: AuditFilter): void {
  if (since) condition.add(`time >= ${condition.value(since.toISOString())}`);
  if (until) condition.add(`time < ${condition.value(until.toISOString())}`);
}

function likeOf(glob: string): string {
  return glob
    .replaceAll(/[\\%_]/g, String.raw`\$&`)
    .replaceAll('*', '%')
    .replaceAll('?', '_');
}
