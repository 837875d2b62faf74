import { storedCall } from '@callsign/audit/store';
import type { Caller } from '@callsign/core';
import { describe, expect, it } from 'vitest';

import { callRecord, intentRecord } from '../../../../../test/contracts/audit-store.js';
import { recordedScript } from './recorded-script.js';

const RUN = 'callsign:run';
const ADA = { principal: { name: 'ada' }, client: { name: 'test' } } as Caller;
const own = { caller: 'ada', script: 'x' };
const change = { ...own, risk: 'destructive' } as const;
const RECORDS = [
  storedCall(intentRecord(1, { ...change, tool: RUN })),
  storedCall(callRecord(2, { ...own, risk: 'read', tool: 's:get' })),
  storedCall(callRecord(3, { ...change, tool: 's:made', intent: 'writerab-0' })),
  storedCall(callRecord(4, { ...change, tool: 's:failed', outcome: 'tool-error', intent: 'w-0' })),
  storedCall(callRecord(5, { ...change, tool: 's:denied', outcome: 'not-approved' })),
  storedCall(callRecord(6, { ...change, tool: 's:early', outcome: 'call-cancelled' })),
  storedCall(
    callRecord(7, { ...change, tool: 's:late', outcome: 'call-cancelled', intent: 'w-1' }),
  ),
  storedCall(intentRecord(8, { ...change, tool: 's:open' })),
];

describe('a script that is only in the records', () => {
  it('has what was sent, what was not, and what is unknown', () => {
    const found = recordedScript(RECORDS, RUN, ADA)!;
    const tools = (calls: readonly { tool: string }[]) => calls.map(({ tool }) => tool);
    expect(tools(found.sent)).toEqual(['s:made', 's:failed']);
    expect(tools(found.notSent)).toEqual(['s:denied', 's:early']);
    // They had an intent, so they may have reached their server.
    expect(tools(found.unknown)).toEqual(['s:late', 's:open']);
    expect(found.reads).toBe(1);
  });

  it.each([
    ['another caller', { ...ADA, principal: { name: 'bob' } } as Caller],
    ['a caller without a name', { ...ADA, principal: undefined } as Caller],
    ['another client', { ...ADA, client: { name: 'other' } } as Caller],
  ])('is unknown to %s', (_, caller) => {
    expect(recordedScript(RECORDS, RUN, caller)).toBeUndefined();
  });

  it('is unknown without the record of its run', () => {
    expect(recordedScript(RECORDS.slice(1), RUN, ADA)).toBeUndefined();
  });
});
