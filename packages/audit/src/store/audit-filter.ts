/** Which records are wanted. */

import { globMatcher } from '@callsign/core';
import type { Risk } from '@callsign/effects';

import { type AuditRecord, isOfCall, SEVERITIES, type Severity } from '../record/audit-record.js';

/** All conditions must match. An empty filter matches every record. */
export interface AuditFilter {
  /** At this moment or later. */
  readonly since?: Date;
  /** Before this moment. */
  readonly until?: Date;
  readonly server?: string;
  /** A glob on `server:tool`. */
  readonly tool?: string;
  readonly risk?: Risk;
  /** At least this severity. */
  readonly severity?: Severity;
  readonly outcome?: string;
  /** The name of the principal. */
  readonly caller?: string;
  readonly client?: string;
  readonly decision?: string;
  /** The id of a script: the calls that it made, and those that ran it. */
  readonly script?: string;
  /** Whose account at its server a call used. */
  readonly account?: string;
  /** A part of the tool, the called name, the rule or the kept arguments. Case does not matter. */
  readonly text?: string;
}

/** Filters that a column must equal, which has the same name. */
export const EXACT_FILTERS = [
  'server',
  'risk',
  'outcome',
  'caller',
  'client',
  'decision',
  'script',
  'account',
] as const;

/** Filters that only calls can match. With one of them, events are left out. */
const OF_CALLS = [...EXACT_FILTERS, 'tool', 'text'] as const;

/** Whether only calls can match the filter, so that events need not be read. */
export function isOfCallsOnly(filter: AuditFilter): boolean {
  return OF_CALLS.some((name) => filter[name] !== undefined);
}

/** Years beyond these have another ISO form, which does not sort as text and is no time in SQL. */
const [FIRST, LAST] = [Date.parse('0001-01-01T00:00:00Z'), Date.parse('9999-12-31T00:00:00Z')];

/** The period of a filter in ISO form. */
export function periodOf({ since, until }: AuditFilter): { since?: string; until?: string } {
  return { ...(since && { since: iso(since) }), ...(until && { until: iso(until) }) };
}

function iso(moment: Date): string {
  return new Date(Math.min(LAST, Math.max(FIRST, moment.getTime()))).toISOString();
}

/** The severities that pass a filter. */
export function severitiesOf({ severity }: AuditFilter): readonly Severity[] {
  return severity === undefined ? SEVERITIES : SEVERITIES.slice(SEVERITIES.indexOf(severity));
}

/** The filter as a function, for records that do not come from a table. */
export function filterMatcher(filter: AuditFilter): (record: AuditRecord) => boolean {
  const { server, risk, outcome, caller, client, decision, script, account } = filter;
  const { since = '', until = '~' } = periodOf(filter);
  const matchesTool = filter.tool === undefined ? undefined : globMatcher(filter.tool);
  const severities = severitiesOf(filter);
  const text = filter.text?.toLowerCase();
  const isOnlyCalls = isOfCallsOnly(filter);
  return (record) => {
    if (record.time < since || record.time >= until) return false;
    if (!severities.includes(record.severity)) return false;
    if (!isOfCall(record)) return !isOnlyCalls && record.kind !== 'journal';
    if (server !== undefined && record.server !== server) return false;
    if (matchesTool && !matchesTool(record.tool)) return false;
    if (risk !== undefined && record.risk !== risk) return false;
    if (outcome !== undefined && !(record.kind === 'call' && record.outcome === outcome)) {
      return false;
    }
    if (caller !== undefined && record.caller !== caller) return false;
    if (client !== undefined && record.client !== client) return false;
    if (decision !== undefined && record.decision !== decision) return false;
    if (script !== undefined && record.script !== script) return false;
    if (account !== undefined && record.account !== account) return false;
    if (text === undefined) return true;
    const { tool, name, rule = '', arguments: given } = record;
    const argumentsText = given === undefined ? '' : JSON.stringify(given);
    return [tool, name, rule, argumentsText].some((each) => each.toLowerCase().includes(text));
  };
}
