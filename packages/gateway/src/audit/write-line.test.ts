import { describe, expect, it } from 'vitest';

import type { CallEntry, IntentEntry } from './audit-entry.js';
import type { CallRecord, IntentRecord } from './audit-record.js';
import { fingerprintOf, writeLine } from './write-line.js';

const HOSTILE = '"}\\\n\u2028\u0000,"severity":"info"';

const INTENT: IntentEntry = {
  kind: 'intent',
  n: 3,
  time: Date.parse('2026-01-02T03:04:05.678Z') + 0.9,
  tool: { tool: `fs:${HOSTILE}`, risk: 'write', riskFrom: 'claim', severity: 'notice' },
  caller: {
    principal: HOSTILE,
    client: HOSTILE,
    version: HOSTILE,
    session: HOSTILE,
    era: 'session',
  },
  name: HOSTILE,
  method: 'tools/call',
  verdict: { decision: 'allow', rule: HOSTILE },
  params: '{"name":"x","arguments":{"a":1}}',
};

const CALL: CallEntry = {
  ...INTENT,
  kind: 'call',
  n: 4,
  outcome: 'ok',
  ms: 1.23456,
  retries: 1,
  sizeOut: 7,
  intent: 3,
};

function read(entry: CallEntry | IntentEntry, redact?: () => string): unknown {
  const { body } = writeLine(entry, { writer: 'w', ...(redact ? { redact } : {}) });
  return JSON.parse(body);
}

const RECORD: IntentRecord = {
  kind: 'intent',
  id: 'w-3',
  time: '2026-01-02T03:04:05.678Z',
  severity: 'notice',
  tool: `fs:${HOSTILE}`,
  risk: 'write',
  riskFrom: 'claim',
  name: HOSTILE,
  method: 'tools/call',
  caller: INTENT.caller,
  decision: 'allow',
  rule: HOSTILE,
  sizeIn: 32,
  fingerprint: fingerprintOf('{"a":1}'),
};

describe('the text of a record', () => {
  it('is what the record says, whatever others put into names and rules', () => {
    expect(read(INTENT)).toEqual(RECORD);
    const { kind: _, id: __, ...facts } = RECORD;
    const call: CallRecord = {
      ...facts,
      kind: 'call',
      id: 'w-4',
      outcome: 'ok',
      ms: 1.235,
      retries: 1,
      sizeOut: 7,
      intent: 'w-3',
    };
    expect(read(CALL)).toEqual(call);
  });

  it('leaves out what there is not', () => {
    const bare = { ...CALL, verdict: undefined, intent: undefined, params: '{"name":"x"}' };
    expect(Object.keys(read(bare) as object)).toEqual([
      'kind',
      'id',
      'time',
      'severity',
      'tool',
      'risk',
      'riskFrom',
      'name',
      'method',
      'caller',
      'sizeIn',
      'outcome',
      'ms',
      'retries',
      'sizeOut',
    ]);
  });

  it('holds arguments as text, where they are kept', () => {
    expect(read(CALL, () => '{"a":"[redacted]"}')).toMatchObject({
      arguments: '{"a":"[redacted]"}',
    });
  });

  it('stays sound where parameters are no JSON at all', () => {
    expect(read({ ...CALL, params: 'no JSON' })).toMatchObject({ kind: 'call', sizeIn: 7 });
  });
});
