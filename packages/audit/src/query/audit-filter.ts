/** Which records somebody wants to see. */

import { globMatcher } from '@callsign/core';

import { type AuditRecord, SEVERITIES, type Severity } from '../record/audit-record.js';

export interface AuditFilter {
  /** Only what happened at this moment or later. */
  readonly since?: Date;
  /** A glob on `server:tool`. */
  readonly tool?: string;
  /** Of at least this severity. */
  readonly severity?: Severity;
  readonly outcome?: string;
  /** The name of a principal or of a client. */
  readonly caller?: string;
}

/** What the log says of itself passes unless a call is asked for. */

export function filterMatcher(filter: AuditFilter): (record: AuditRecord) => boolean {
  const { outcome, caller } = filter;
  const since = filter.since?.toISOString() ?? '';
  const matches = filter.tool === undefined ? undefined : globMatcher(filter.tool);
  const least = filter.severity === undefined ? 0 : SEVERITIES.indexOf(filter.severity);
  return (record) => {
    if (record.time < since || SEVERITIES.indexOf(record.severity) < least) return false;
    if (!('tool' in record)) return !matches && outcome === undefined && caller === undefined;
    if (matches && !matches(record.tool)) return false;
    if (outcome !== undefined && !('outcome' in record && record.outcome === outcome)) return false;
    const { principal, client } = record.caller;
    return caller === undefined || caller === principal || caller === client;
  };
}
