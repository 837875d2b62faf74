import { describe, expect, it } from 'vitest';

import { callRecord, intentRecord } from '../../../../test/contracts/audit-store.js';
import type { AuditRecord } from '../record/audit-record.js';
import { type AuditFilter, filterMatcher, isOfCallsOnly, periodOf } from './audit-filter.js';

const TIME = '2026-11-15T09:00:00.000Z';
const EVENT = { id: 'w-3', time: TIME, journal: 'j', reason: 'the disk is full', count: 1 };

/** Each differs from the others in every member that a filter can use. */
const RECORDS: Readonly<Record<string, AuditRecord>> = {
  call: callRecord(1, { time: TIME, caller: 'ada', decision: 'allow', rule: 'Read: allow' }),
  refused: callRecord(2, {
    time: TIME,
    severity: 'warning',
    server: 'git',
    tool: 'git:push',
    name: 'git__push',
    risk: 'destructive',
    outcome: 'policy-denied',
    client: 'cursor',
    decision: 'deny',
    arguments: { Branch: 'main' },
  }),
  intent: intentRecord(3, { time: TIME, severity: 'notice', risk: 'write', tool: 'fs:write' }),
  event: { ...EVENT, kind: 'gap', severity: 'error' },
  header: { ...EVENT, kind: 'journal', severity: 'info', version: 1, part: 1 },
};

describe('a filter', () => {
  it.each<[AuditFilter, string[]]>([
    [{}, ['call', 'refused', 'intent', 'event']],
    [{ server: 'git' }, ['refused']],
    [{ tool: 'fs:*' }, ['call', 'intent']],
    [{ risk: 'write' }, ['intent']],
    [{ severity: 'info' }, ['call', 'refused', 'intent', 'event']],
    [{ severity: 'notice' }, ['refused', 'intent', 'event']],
    [{ severity: 'error' }, ['event']],
    // An intent has no outcome yet.
    [{ outcome: 'ok' }, ['call']],
    [{ outcome: 'policy-denied' }, ['refused']],
    [{ caller: 'ada' }, ['call']],
    [{ client: 'cursor' }, ['refused']],
    [{ decision: 'deny' }, ['refused']],
    [{ text: 'PUSH' }, ['refused']],
    [{ text: '__read' }, ['call', 'intent']],
    [{ text: 'read: ALLOW' }, ['call']],
    [{ text: '"branch":"MAIN"' }, ['refused']],
    [{ text: '' }, ['call', 'refused', 'intent']],
    [{ text: 'mutant' }, []],
    [{ server: 'fs', decision: 'deny' }, []],
    [{ since: new Date(TIME) }, ['call', 'refused', 'intent', 'event']],
    [{ since: new Date(Date.parse(TIME) + 1) }, []],
    [{ until: new Date(TIME) }, []],
    [{ until: new Date(Date.parse(TIME) + 1) }, ['call', 'refused', 'intent', 'event']],
  ])('%j lets pass %j', (filter, names) => {
    const matches = filterMatcher(filter);
    expect(Object.keys(RECORDS).filter((name) => matches(RECORDS[name]!))).toEqual(names);
  });

  it.each<[AuditFilter, boolean]>([
    [{}, false],
    [{ since: new Date(TIME), until: new Date(TIME), severity: 'info' }, false],
    [{ server: 'x' }, true],
    [{ tool: 'x' }, true],
    [{ risk: 'read' }, true],
    [{ outcome: 'ok' }, true],
    [{ caller: 'x' }, true],
    [{ client: 'x' }, true],
    [{ decision: 'allow' }, true],
    [{ text: 'x' }, true],
  ])('%j is about calls only: %s', (filter, isOnly) => {
    expect(isOfCallsOnly(filter)).toBe(isOnly);
    expect(filterMatcher({ ...filter, until: new Date('2027-01-01') })(RECORDS['event']!)).toBe(
      !isOnly,
    );
  });

  it('has a period between the years 1 and 9999, and only where it has an end', () => {
    expect(periodOf({})).toEqual({});
    expect(periodOf({ since: new Date(TIME) })).toEqual({ since: TIME });
    expect(periodOf({ until: new Date(TIME) })).toEqual({ until: TIME });
    expect(periodOf({ since: new Date(-8.64e15), until: new Date(8.64e15) })).toEqual({
      since: '0001-01-01T00:00:00.000Z',
      until: '9999-12-31T00:00:00.000Z',
    });
  });
});
