/** Turns a record into a log record of OpenTelemetry, in the JSON form of OTLP. */

import { isFailure } from '@callsign/core';

import { type AuditRecord, isOfCall, type Severity } from '../record/audit-record.js';

interface OtlpAttribute {
  readonly key: string;
  readonly value: { readonly stringValue: string } | { readonly doubleValue: number };
}

export interface OtlpLogRecord {
  readonly timeUnixNano: string;
  readonly observedTimeUnixNano: string;
  readonly severityNumber: number;
  readonly severityText: string;
  readonly eventName: string;
  readonly body: { readonly stringValue: string };
  readonly attributes: readonly OtlpAttribute[];
}

const SEVERITY_NUMBERS: Readonly<Record<Severity, number>> = {
  info: 9,
  notice: 10,
  warning: 13,
  error: 17,
};

/** `line`: the record as it is in the journal. */
export function otlpLogRecord(record: AuditRecord, line: string): OtlpLogRecord {
  const nanoseconds = `${Date.parse(record.time)}000000`;
  return {
    timeUnixNano: nanoseconds,
    observedTimeUnixNano: nanoseconds,
    severityNumber: SEVERITY_NUMBERS[record.severity],
    severityText: record.severity,
    eventName: `callsign.${record.kind}`,
    body: { stringValue: line },
    attributes: attributesOf(record),
  };
}

/** The body of a request with log records. */
export function otlpRequest(records: readonly OtlpLogRecord[], version: string): string {
  const service = [
    { key: 'service.name', value: { stringValue: 'callsign' } },
    { key: 'service.version', value: { stringValue: version } },
  ];
  const scopeLogs = [{ scope: { name: 'callsign.audit', version }, logRecords: records }];
  return JSON.stringify({ resourceLogs: [{ resource: { attributes: service }, scopeLogs }] });
}

/**
 * Uses the names of OpenTelemetry where there are any, otherwise ours. A receiver recognises
 * repeated records by `log.record.uid`.
 */
function attributesOf(record: AuditRecord): OtlpAttribute[] {
  const common: Record<string, unknown> = { 'log.record.uid': record.id };
  if (isOfCall(record)) {
    const { server, tool } = record;
    const own = server === undefined ? tool : tool.slice(server.length + 1);
    Object.assign(common, {
      'mcp.method.name': record.method,
      'mcp.session.id': record.session,
      'gen_ai.tool.name': own,
      'user.name': record.caller,
      'callsign.server': server,
      'callsign.risk': record.risk,
      'callsign.evidence': record.evidence?.by,
      'callsign.client': record.client,
      'callsign.decision': record.decision,
      'callsign.rule': record.rule,
    });
    if (record.kind === 'call') {
      const { outcome, ms, intent } = record;
      Object.assign(common, {
        'callsign.outcome': outcome,
        'callsign.duration_ms': ms,
        'callsign.intent': intent,
        'error.type': outcome && isFailure(outcome) ? outcome : undefined,
      });
    }
  }
  return Object.entries(common).flatMap(([key, value]): OtlpAttribute[] => {
    if (typeof value === 'number') return [{ key, value: { doubleValue: value } }];
    return typeof value === 'string' ? [{ key, value: { stringValue: value } }] : [];
  });
}
