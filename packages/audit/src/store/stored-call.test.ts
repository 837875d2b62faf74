import { describe, expect, it } from 'vitest';

import { callRecord, intentRecord } from '../../../../test/contracts/audit-store.js';
import type { AuditRecord } from '../record/audit-record.js';
import { CALL_FACTS, storedCall, storedRecord } from './stored-call.js';

describe('the row of a record', () => {
  it('has null for everything that the record does not say', () => {
    const bare = {
      server: undefined,
      risk: undefined,
      evidence: undefined,
      fingerprint: undefined,
    };
    expect(storedCall(intentRecord(1, bare))).toMatchObject({
      id: 'writerab-1',
      server: null,
      risk: null,
      evidence: null,
      because: null,
      decision: null,
      rule: null,
      decisions: null,
      outcome: null,
      caller: null,
      ms: null,
      retries: null,
      sizeOut: null,
      fingerprint: null,
      arguments: null,
      announced: true,
    });
  });

  it('of an end has the id of its intent, if it was announced', () => {
    expect(storedCall(callRecord(2, { intent: 'writerab-1' }))).toMatchObject({
      id: 'writerab-1',
      announced: true,
    });
    expect(storedCall(callRecord(2))).toMatchObject({ id: 'writerab-2', announced: false });
  });

  it('of an event is the event, and the header of a file has none', () => {
    const common = { id: 'w-1', time: '', severity: 'info', journal: 'j' } as const;
    const event: AuditRecord = { ...common, kind: 'torn', reason: 'r', count: 1 };
    expect(storedRecord(event)).toBe(event);
    expect(storedRecord({ ...common, kind: 'journal', version: 1, part: 1 })).toBeUndefined();
    expect(storedRecord(callRecord(2))).toEqual(storedCall(callRecord(2)));
  });

  it('has every fact that calls have in common', () => {
    const row = storedCall(callRecord(1));
    expect(CALL_FACTS.filter((name) => !(name in row))).toEqual([]);
  });
});
