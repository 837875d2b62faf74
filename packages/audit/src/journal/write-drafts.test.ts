import type { Call, Caller, Outcome, Verdict } from '@callsign/core';
import fc from 'fast-check';
import { describe, expect, it } from 'vitest';

import { type AuditEntry, type Shared, UNNUMBERED } from '../record/audit-entry.js';
import type { AuditRecord, CallRecord, IntentRecord } from '../record/audit-record.js';
import { Page } from '../store/batch.js';
import { GENESIS, segmentAfter } from '../store/chain.js';
import { recordsIn } from '../store/placed-record.js';
import { sessionOf, SharedFacts } from '../record/shared-facts.js';
import { callOf, CALLER, labelledHub } from '../../../../test/testing/labelled-hub.js';
import { fingerprintOf, type Redact, writeDrafts } from './write-drafts.js';

const HOSTILE = '"}\\\n\u2028\u0000,"severity":"info"';
const TIME = Date.parse('2026-01-02T03:04:05.678Z');
const MALLORY: Caller = {
  ...CALLER,
  id: HOSTILE,
  client: { name: HOSTILE, version: HOSTILE },
  principal: { name: HOSTILE, roles: [] },
};
const KEY = HOSTILE.replaceAll(/[^"}\\,a-z\u2028]/g, '-');
const TARGET = labelledHub({ interceptors: [], key: KEY })
  .hub.entries('tool')
  .get(`${KEY}:write_file`)!;

interface Options {
  readonly caller?: Caller;
  readonly args?: object;
  readonly verdict?: Verdict;
}

function sharedOf(call: Call, outcome?: Outcome): Shared {
  return new SharedFacts(true).of(call, TARGET, outcome);
}

function intent({ caller = CALLER, args, verdict }: Options = {}): AuditEntry {
  const call = callOf(HOSTILE, args, caller);
  call.context.verdict = verdict;
  const [shared, session] = [sharedOf(call), sessionOf(caller)];
  return { kind: 'intent', n: UNNUMBERED, time: TIME + 0.9, shared, session, params: call.params };
}

function end({ caller = CALLER, args, verdict }: Options = {}, announced?: number): AuditEntry {
  const call = callOf(HOSTILE, args, caller);
  call.context.verdict = verdict;
  call.context.retries = 1;
  return {
    kind: 'call',
    n: UNNUMBERED,
    time: TIME - 3,
    shared: sharedOf(call, 'ok'),
    session: sessionOf(caller),
    params: call.params,
    ms: 1.23456,
    sizeOut: 7,
    intent: announced,
  };
}

/** What a reader finds of entries that a writer has numbered from three. */
function read(entries: readonly AuditEntry[], redact?: Redact, first = 3): AuditRecord[] {
  const page = new Page(first);
  for (const entry of entries) page.add(entry);
  const drafts = writeDrafts(page.toBatch('w'), redact);
  return drafts.flatMap((draft) => {
    return [...recordsIn(segmentAfter(GENESIS, draft))].map(({ record }) => record);
  });
}

const args = { a: 1 };
const verdict: Verdict = { decision: 'allow', rule: HOSTILE };
const RECORD: IntentRecord = {
  kind: 'intent',
  id: 'w-3',
  time: '2026-01-02T03:04:05.678Z',
  severity: 'notice',
  tool: TARGET.canonical,
  risk: 'write',
  riskFrom: 'server',
  name: HOSTILE,
  method: 'tools/call',
  caller: {
    principal: HOSTILE,
    client: HOSTILE,
    version: HOSTILE,
    session: HOSTILE,
    era: 'session',
  },
  decision: 'allow',
  rule: HOSTILE,
  sizeIn: callOf(HOSTILE, args).params.length,
  fingerprint: fingerprintOf('{"a":1}'),
};

describe('the text of records', () => {
  it('is what they say, whatever others put into names and rules', () => {
    const { kind: _, id: __, ...facts } = RECORD;
    const call: CallRecord = {
      ...facts,
      kind: 'call',
      id: 'w-4',
      time: '2026-01-02T03:04:05.675Z',
      outcome: 'ok',
      ms: 1.235,
      retries: 1,
      sizeOut: 7,
      intent: 'w-3',
    };
    const options = { caller: MALLORY, args, verdict };
    expect(read([intent(options), end(options, 3)])).toEqual([RECORD, call]);
  });

  it('leaves out what there is not', () => {
    expect(Object.keys(read([end()])[0]!)).toEqual([
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

  it('tells apart those who call without a session, each by a name of its own', () => {
    const callers = ['one', HOSTILE].map((id): Caller => ({ ...CALLER, era: 'stateless', id }));
    const records = read(callers.map((caller) => end({ caller, args })));
    expect(records).toMatchObject([
      { id: 'w-3', caller: { session: 'one', era: 'stateless' } },
      { id: 'w-4', caller: { session: HOSTILE, era: 'stateless' } },
    ]);
  });

  it('says of a gap how much is missing, and why', () => {
    const gap: AuditEntry = { kind: 'gap', n: UNNUMBERED, time: TIME, lost: 7, reason: HOSTILE };
    expect(read([end(), gap, end()])).toMatchObject([
      { kind: 'call', id: 'w-3' },
      { kind: 'gap', id: 'w-4', severity: 'error', lost: 7, reason: HOSTILE },
      { kind: 'call', id: 'w-5' },
    ]);
  });

  it('holds arguments as text, where they are kept, by what the schema says of them', () => {
    const schemas: (string | undefined)[] = [];
    const redact: Redact = (given, schema) => {
      schemas.push(schema);
      return `${given}\n`;
    };
    const records = read([intent({ args }), end({ args })], redact);
    expect(records).toMatchObject([{ arguments: '{"a":1}\n' }, { arguments: '{"a":1}\n' }]);
    expect(schemas[0]).toContain('writeOnly');
  });

  it('stays sound where parameters are no JSON, or hold their arguments twice', () => {
    const params = ['no JSON', '', '{"arguments":', '{"arguments":{"b":2},"arguments":{"a":1}}'];
    const records = read(params.map((text) => ({ ...end(), params: text }) as AuditEntry));
    expect(records.map((record) => 'fingerprint' in record && record.fingerprint)).toEqual([
      false,
      false,
      false,
      fingerprintOf('{"a":1}'),
    ]);
  });

  it('says only when and how long of a call that is like the one before', () => {
    const shared = sharedOf(callOf('x'), 'ok');
    const page = new Page(0);
    for (let i = 0; i < 3; i++) {
      page.add({ ...end({ args }), shared, time: TIME + i, ms: i / 4 } as AuditEntry);
    }
    const [draft] = writeDrafts(page.toBatch('w'));
    expect(draft!.body.split('\n').slice(1)).toEqual(['[0,1,250]', '[0,2,500]']);
  });

  it('is read as if each had been written by itself, whatever it follows', () => {
    const callers: Caller[] = [CALLER, { ...CALLER, era: 'stateless', id: 'one' }];
    const facts = callers.map((caller) => sharedOf(callOf('x', {}, caller), 'ok'));
    const like = fc.record({
      who: fc.nat(1),
      args: fc.constantFrom(undefined, { a: 1 }, { a: 2 }),
      time: fc.constantFrom(TIME - 9, TIME, TIME + 0.9, TIME + 5_000_000_000),
      ms: fc.constantFrom(0, 0.0004, 1.5, 3_600_000),
      sizeOut: fc.constantFrom(0, 7, 3_000_000_000),
      announced: fc.constantFrom(undefined, undefined, 0),
      isGap: fc.constantFrom(false, false, false, true),
    });
    const gap: AuditEntry = { kind: 'gap', n: UNNUMBERED, time: TIME, lost: 7, reason: 'full' };
    fc.assert(
      fc.property(fc.array(like, { maxLength: 12 }), fc.boolean(), (calls, isKept) => {
        const entries = calls.map(({ who, args: given, announced, isGap, ...own }): AuditEntry => {
          const caller = callers[who]!;
          const call = end({ caller, ...(given ? { args: given } : {}) }, announced);
          return isGap ? gap : ({ ...call, shared: facts[who], ...own } as AuditEntry);
        });
        const redact: Redact | undefined = isKept ? (given) => given : undefined;
        const alone = entries.map((entry, i) => read([entry], redact, 3 + i)[0]);
        expect(read(entries, redact)).toEqual(alone);
      }),
      { numRuns: 500 },
    );
  });

  it('is read in full, and by the right numbers, around what somebody made unreadable', () => {
    const facts = ['a', 'b'].map((name) => sharedOf(callOf(name), 'ok'));
    const page = new Page(0);
    for (const [i, which] of [0, 0, 0, 1, 0, 1].entries()) {
      const call = end({ args: { i: i < 2 ? 0 : 1 } });
      page.add({ ...call, shared: facts[which] } as AuditEntry);
    }
    const [draft] = writeDrafts(page.toBatch('w'));
    const lines = draft!.body.split('\n');
    const left = (broken: number) => {
      const body = lines.with(broken, '[0,').join('\n');
      const placed = [...recordsIn(segmentAfter(GENESIS, { ...draft!, body }))];
      return placed.map(({ record }) => {
        const { id, name, fingerprint } = record as CallRecord;
        return `${id} ${name}${fingerprint === undefined ? '' : ' known'}`;
      });
    };
    // The third says what its arguments are, and the fifth only that they are the same.
    expect(left(2)).toEqual(['w-0 a known', 'w-1 a known', 'w-3 b known', 'w-4 a']);
    // The fourth is the first of its kind, which the sixth refers to.
    expect(left(3)).toEqual(['w-0 a known', 'w-1 a known', 'w-2 a known', 'w-4 a']);
    // Without the first, nobody can tell what the others share with it.
    expect(left(0)).toEqual(['w-3 b known']);
  });

  it('is read as earlier versions wrote it', () => {
    const shared =
      '{"writer":"w","n":7,"time":1000,"kind":"call","severity":"info","tool":"s:t","name":"t","method":"tools/call","caller":{"client":"c","version":"1","session":"x","era":"session"},"outcome":"ok","retries":0}';
    const print = 'n4bQgYhMfWWaL+qgxVrQFaO/TxsrC4Is0V1sFbDwCgg=';
    const body = [
      `[${shared},0,0,21,1500,9,"${print}"]`,
      '[0,1,2,22,250,8,0]',
      '{"kind":"gap","id":"w-9","time":"1970-01-01T00:00:01.000Z","severity":"error","lost":3,"reason":"full"}',
      '[0,3,4,23,0,0,null,1,"s",null]',
    ].join('\n');
    const segment = segmentAfter(GENESIS, { count: 4, body });
    const sha256 = `sha256:${Buffer.from(print, 'base64').toString('hex')}`;
    expect([...recordsIn(segment)].map(({ record }) => record)).toMatchObject([
      { id: 'w-7', sizeIn: 21, sizeOut: 9, ms: 1.5, fingerprint: sha256 },
      { id: 'w-8', sizeIn: 22, sizeOut: 8, ms: 0.25, fingerprint: sha256 },
      { id: 'w-9', kind: 'gap' },
      { id: 'w-10', sizeIn: 23, intent: 'w-8', caller: { session: 's' } },
    ]);
  });

  it('goes into several segments if it is long, each of which can be read by itself', () => {
    const entries = Array.from({ length: 3_000 }, (_, i) => end({ args: { i } }));
    const shared = sharedOf(callOf('x'), 'ok');
    const page = new Page(0);
    for (const entry of entries) page.add({ ...entry, shared } as AuditEntry);
    const drafts = writeDrafts(page.toBatch('w'));
    expect(drafts.length).toBeGreaterThan(2);
    expect(drafts.at(-1)!.n).toBe(2_999);
    const ids = drafts.flatMap((draft) => {
      const text = draft.body;
      expect(text.split('\n')).toHaveLength(draft.count);
      expect(text.length).toBeLessThan(70_000);
      expect(text.match(/"writer"/g)).toHaveLength(1);
      return [...recordsIn(segmentAfter(GENESIS, draft))].map(({ record }) => record.id);
    });
    expect(ids).toEqual(entries.map((_, i) => `w-${i}`));
  });
});
