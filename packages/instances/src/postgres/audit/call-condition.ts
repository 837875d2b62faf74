/**
 * Translates a filter into SQL. Filters must mean the same as in the other stores; the contract
 * test of stores checks that.
 */

import { type AuditFilter, EXACT_FILTERS, periodOf, severitiesOf } from '@callsign/audit/store';

import type { Database } from '../database/database.js';
import { utcDay } from './utc-day.js';

/** A condition and its parameters. Values never become part of the SQL text. */
export interface Condition {
  /** The text after `where`. */
  readonly sql: string;
  /** The values of `$1`, `$2` and so on. */
  readonly values: readonly unknown[];
}

/** A condition on `call_records`. Filters on facts are resolved in the small table `call_facts`. */
export function callCondition(database: Database, filter: AuditFilter): Condition {
  const condition = new Conjunction();
  const table = database.name('call_facts');
  addTimes(condition, filter);
  addDays(condition, filter);
  // As an array, the facts are looked up once, and the index can be used to compare them.
  const facts = factCondition(condition, filter);
  if (facts) condition.add(`fact = any(array(select fact from ${table} where ${facts}))`);
  if (filter.text !== undefined) {
    const like = condition.value(`%${filter.text.replaceAll(/[\\%_]/g, String.raw`\$&`)}%`);
    const named = ['tool', 'name', 'rule'].map((column) => `${column} ilike ${like}`).join(' or ');
    // Faster than ILIKE on many rows, which converts the pattern for each of them.
    const inArguments = `strpos(lower(arguments), lower(${condition.value(filter.text)})) > 0`;
    condition.add(
      `(fact = any(array(select fact from ${table} where ${named})) or ${inArguments})`,
    );
  }
  return condition.end();
}

/** A condition on `events`, which have a time and a severity only. */
export function eventCondition(filter: AuditFilter): Condition {
  const condition = new Conjunction();
  addTimes(condition, filter);
  if (filter.severity !== undefined) {
    condition.add(`severity = any(${condition.value(severitiesOf(filter))})`);
  }
  return condition.end();
}

/** Collects conditions that must all be true, and their values. */
class Conjunction {
  readonly #parts: string[] = [];
  readonly #values: unknown[] = [];

  add(sql: string): void {
    this.#parts.push(sql);
  }

  /** Adds a value and returns its placeholder. */
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
  for (const column of EXACT_FILTERS) {
    const value = filter[column];
    if (value !== undefined) parts.push(`${column} = ${condition.value(value)}`);
  }
  if (filter.severity !== undefined) {
    parts.push(`severity = any(${condition.value(severitiesOf(filter))})`);
  }
  if (filter.tool !== undefined) parts.push(`tool like ${condition.value(likeOf(filter.tool))}`);
  return parts.join(' and ');
}

/** From `since`, and before `until`. */
function addTimes(condition: Conjunction, filter: AuditFilter): void {
  const { since, until } = periodOf(filter);
  if (since) condition.add(`time >= ${condition.value(since)}`);
  if (until) condition.add(`time < ${condition.value(until)}`);
}

/** From the day of `since` to the day of `until`, so that the database opens no partition of another day. */
function addDays(condition: Conjunction, filter: AuditFilter): void {
  const { since, until } = periodOf(filter);
  if (since) condition.add(`day >= ${condition.value(utcDay(since))}`);
  if (until) condition.add(`day <= ${condition.value(utcDay(until))}`);
}

/** A pattern with `*` and `?` as a pattern of LIKE. */
function likeOf(glob: string): string {
  return glob
    .replaceAll(/[\\%_]/g, String.raw`\$&`)
    .replaceAll('*', '%')
    .replaceAll('?', '_');
}
