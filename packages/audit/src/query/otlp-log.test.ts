import { describe, expect, it } from 'vitest';

import { callRecord, intentRecord } from '../../../../test/contracts/audit-store.js';
import type { AuditRecord } from '../record/audit-record.js';
import { otlpLogRecord, otlpRequest } from './otlp-log.js';

const attributesOf = (record: AuditRecord): unknown =>
  Object.fromEntries(
    otlpLogRecord(record, '').attributes.map(({ key, value }) => [key, Object.entries(value)[0]]),
  );

describe('a log record of OpenTelemetry', () => {
  it('has the time in nanoseconds, the severity, the kind, and the line as it was written', () => {
    const nanoseconds = `${Date.parse('2026-11-15T09:00:01.000Z')}000000`;
    expect(otlpLogRecord(callRecord(1), '{"the":"line"}')).toMatchObject({
      timeUnixNano: nanoseconds,
      observedTimeUnixNano: nanoseconds,
      severityNumber: 9,
      severityText: 'info',
      eventName: 'callsign.call',
      body: { stringValue: '{"the":"line"}' },
    });
  });

  it.each([
    ['info', 9],
    ['notice', 10],
    ['warning', 13],
    ['error', 17],
  ] as const)('has for severity %s the number %d', (severity, severityNumber) => {
    expect(otlpLogRecord(callRecord(1, { severity }), '')).toMatchObject({ severityNumber });
  });

  it('has attributes for everything that a call is searched by', () => {
    const record = callRecord(1, {
      caller: 'ada',
      decision: 'allow',
      rule: 'read: allow',
      outcome: 'tool-error',
      intent: 'writerab-0',
    });
    expect(attributesOf(record)).toEqual({
      'log.record.uid': ['stringValue', 'writerab-1'],
      'mcp.method.name': ['stringValue', 'tools/call'],
      'mcp.session.id': ['stringValue', 's'],
      'gen_ai.tool.name': ['stringValue', 'read_file'],
      'user.name': ['stringValue', 'ada'],
      'callsign.server': ['stringValue', 'fs'],
      'callsign.risk': ['stringValue', 'read'],
      'callsign.evidence': ['stringValue', 'server'],
      'callsign.client': ['stringValue', 'test'],
      'callsign.decision': ['stringValue', 'allow'],
      'callsign.rule': ['stringValue', 'read: allow'],
      'callsign.outcome': ['stringValue', 'tool-error'],
      'callsign.duration_ms': ['doubleValue', 10],
      'callsign.intent': ['stringValue', 'writerab-0'],
      'error.type': ['stringValue', 'tool-error'],
    });
  });

  it('has no error for a call that went well, and no outcome for one that has not ended', () => {
    expect(attributesOf(callRecord(1))).not.toHaveProperty(['error.type']);
    const intent = attributesOf(intentRecord(1, { server: undefined, evidence: undefined }));
    expect(intent).toMatchObject({ 'gen_ai.tool.name': ['stringValue', 'fs:read_file'] });
    for (const key of ['callsign.outcome', 'callsign.server', 'callsign.evidence']) {
      expect(intent).not.toHaveProperty([key]);
    }
  });

  it('of an event has only its id', () => {
    const event: AuditRecord = {
      kind: 'gap',
      id: 'w-1',
      time: '2026-11-15T09:00:01.000Z',
      severity: 'error',
      journal: 'j',
      reason: 'r',
      count: 1,
    };
    expect(attributesOf(event)).toEqual({ 'log.record.uid': ['stringValue', 'w-1'] });
  });

  it('is sent as a record of this service and version', () => {
    const log = otlpLogRecord(callRecord(1), '');
    expect(JSON.parse(otlpRequest([log], '1.2.3'))).toEqual({
      resourceLogs: [
        {
          resource: {
            attributes: [
              { key: 'service.name', value: { stringValue: 'callsign' } },
              { key: 'service.version', value: { stringValue: '1.2.3' } },
            ],
          },
          scopeLogs: [{ scope: { name: 'callsign.audit', version: '1.2.3' }, logRecords: [log] }],
        },
      ],
    });
  });
});
