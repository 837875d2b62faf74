/** What every store of calls must do. */

import { describe, expect, it } from 'vitest';

import type { AuditStore, JournalSlice, StoredRecord } from '@callsign/audit';
import { type AuditFilter, type AuditRecord, filterMatcher } from '@callsign/audit/store';

import type {
  CallRecord,
  EventRecord,
  IntentRecord,
} from '../../packages/audit/src/record/audit-record.js';

const JOURNAL = '20261115T093012-writerab';
const START = Date.parse('2026-11-15T09:00:00.000Z');

/** A call; the higher the number, the later. */
export function callRecord(n: number, members: Partial<CallRecord> = {}): CallRecord {
  return { ...facts(n), kind: 'call', outcome: 'ok', retries: 0, ms: 10, sizeOut: 20, ...members };
}

export function intentRecord(n: number, members: Partial<IntentRecord> = {}): IntentRecord {
  return { ...facts(n), kind: 'intent', ...members };
}

function eventRecord(n: number, members: Partial<EventRecord> = {}): EventRecord {
  const { id, time } = facts(n);
  const reason = 'the disk is full';
  return {
    kind: 'gap',
    id,
    time,
    severity: 'error',
    journal: JOURNAL,
    reason,
    count: 3,
    ...members,
  };
}

function facts(n: number): Omit<IntentRecord, 'kind'> {
  return {
    id: `writerab-${n}`,
    time: new Date(START + n * 1000).toISOString(),
    severity: 'info',
    server: 'fs',
    tool: 'fs:read_file',
    name: 'fs__read_file',
    method: 'tools/call',
    risk: 'read',
    evidence: { by: 'server' },
    client: 'test',
    clientVersion: '1',
    era: 'session',
    session: 's',
    sizeIn: 2,
    fingerprint: 'sha256:00',
  };
}

/** Records that differ in every field that a filter can use. */
const VARIED: readonly AuditRecord[] = [
  callRecord(1),
  callRecord(2, { server: 'git', tool: 'git:push', name: 'git__push', risk: 'write' }),
  callRecord(3, { severity: 'warning', risk: 'destructive', outcome: 'policy-denied', ms: 0.2 }),
  callRecord(4, { caller: 'ada', client: 'cursor', decision: 'allow', rule: 'read: allow' }),
  callRecord(5, { caller: 'Ada', decision: 'deny', rule: 'no writing on 100% of Sundays' }),
  callRecord(6, { tool: 'fs:[odd]*', name: 'x_y', arguments: { path: '/Étage/_50%\\' } }),
  callRecord(7, { server: undefined, tool: 'nothing', risk: undefined, outcome: 'unknown' }),
  eventRecord(8),
  intentRecord(9, { risk: 'write', tool: 'fs:write_file' }),
  callRecord(10, { script: 'pX3hT0aZkQ2v' }),
  callRecord(11, { account: 'key:ann', caller: 'key:ann' }),
  callRecord(12, { account: 'local' }),
];

const FILTERS: readonly AuditFilter[] = [
  {},
  { since: new Date(START + 4000) },
  { until: new Date(START + 4000) },
  { since: new Date(START + 2000), until: new Date(START + 5000) },
  { server: 'git' },
  { script: 'pX3hT0aZkQ2v' },
  { script: 'pX3hT0aZkQ2v', server: 'git' },
  { account: 'key:ann' },
  { account: 'local', caller: 'ada' },
  { tool: 'fs:read_file' },
  { tool: 'fs:*' },
  { tool: '*:?ush' },
  { tool: 'fs:[odd]*' },
  { tool: 'fs:[o]*' },
  { risk: 'write' },
  { severity: 'warning' },
  { outcome: 'policy-denied' },
  { caller: 'ada' },
  { client: 'cursor' },
  { decision: 'deny' },
  { text: 'PUSH' },
  { text: '100%' },
  { text: 'x_y' },
  { text: 'x%y' },
  { text: '_50%\\\\' },
  { text: "'; DROP TABLE calls; --" },
  { caller: 'ada', decision: 'allow', client: 'cursor' },
  { caller: 'ada', decision: 'deny' },
];

/** Records in the form of a journal. */
export function sliceOf(...records: readonly AuditRecord[]): JournalSlice {
  return { records, lines: records.map((record) => JSON.stringify(record)) };
}

async function filled(open: Open, records: readonly AuditRecord[]): Promise<AuditStore> {
  const store = await open();
  await store.add(JOURNAL, sliceOf(...records), undefined, { part: 1, offset: 100 });
  return store;
}

const group = (name: string, calls: number, errors: number) => ({ name, calls, errors });

const idsOf = (rows: readonly StoredRecord[]): string[] => rows.map(({ id }) => id);

/** Creates an empty store for one test, and closes it afterwards. */
type Open = () => AuditStore | Promise<AuditStore>;

export function storeContract(name: string, open: Open): void {
  describe(`${name} as a store of calls`, () => {
    it('counts calls over time, if it knows more than days', async () => {
      const records = [
        callRecord(1),
        callRecord(59, { outcome: 'upstream-timeout' }),
        callRecord(3_700),
      ];
      const store = await filled(open, [...records, eventRecord(4)]);
      if (!store.timeline) return;
      expect(await store.timeline({}, 'day')).toEqual([group('2026-11-15', 3, 1)]);
      const hours = [group('2026-11-15T09', 2, 1), group('2026-11-15T10', 1, 0)];
      expect(await store.timeline({}, 'hour')).toEqual(hours);
      expect(await store.timeline({ outcome: 'upstream-timeout' }, 'minute')).toEqual([
        group('2026-11-15T09:00', 1, 1),
      ]);
    });

    it('has a row for every call, with everything that the record says', async () => {
      const decisions = [{ module: 'policy', decision: 'allow', rule: 'read: allow' } as const];
      const record = callRecord(1, {
        evidence: { by: 'words', because: 'the name says read' },
        caller: 'ada',
        decision: 'allow',
        rule: 'read: allow',
        decisions,
        arguments: { path: '/a' },
      });
      const store = await filled(open, [record]);
      expect(await store.list({ limit: 10 })).toEqual([
        {
          kind: 'call',
          id: 'writerab-1',
          time: '2026-11-15T09:00:01.000Z',
          severity: 'info',
          server: 'fs',
          tool: 'fs:read_file',
          name: 'fs__read_file',
          method: 'tools/call',
          risk: 'read',
          evidence: 'words',
          because: 'the name says read',
          decision: 'allow',
          rule: 'read: allow',
          decisions: JSON.stringify(decisions),
          outcome: 'ok',
          caller: 'ada',
          client: 'test',
          clientVersion: '1',
          session: 's',
          era: 'session',
          ms: 10,
          waitedMs: null,
          retries: 0,
          sizeIn: 2,
          sizeOut: 20,
          fingerprint: 'sha256:00',
          arguments: '{"path":"/a"}',
          announced: false,
          script: null,
          account: null,
        },
      ]);
    });

    it('has one row for an intent and its end, even if the end comes later', async () => {
      const store = await filled(open, [intentRecord(1)]);
      expect(await store.list({ limit: 10 })).toMatchObject([
        { id: 'writerab-1', outcome: null, ms: null, announced: true },
      ]);
      expect((await store.stats({})).total).toMatchObject({ calls: 1, errors: 0 });
      const end = callRecord(2, { intent: 'writerab-1', outcome: 'tool-error' });
      await store.add(JOURNAL, sliceOf(end), { part: 1, offset: 100 }, { part: 1, offset: 200 });
      expect(await store.list({ limit: 10 })).toMatchObject([
        { id: 'writerab-1', outcome: 'tool-error', ms: 10, announced: true },
      ]);
    });

    it('remembers positions, and adds nothing twice', async () => {
      const store = await filled(open, [callRecord(1)]);
      expect(await store.positions()).toEqual(new Map([[JOURNAL, { part: 1, offset: 100 }]]));
      // Another, slower process started at the same position.
      await store.add(JOURNAL, sliceOf(callRecord(1), callRecord(2)), undefined, {
        part: 1,
        offset: 300,
      });
      expect(idsOf(await store.list({ limit: 10 }))).toEqual(['writerab-1']);
      // The tables are at the old position, so the same record may arrive again.
      const from = { part: 1, offset: 100 };
      await store.add(JOURNAL, sliceOf(callRecord(1), callRecord(2)), from, { part: 2, offset: 5 });
      expect(idsOf(await store.list({ limit: 10 }))).toEqual(['writerab-1', 'writerab-2']);
      expect(await store.positions()).toEqual(new Map([[JOURNAL, { part: 2, offset: 5 }]]));
    });

    it.each(FILTERS)('lists what the filter %j means', async (filter) => {
      const store = await filled(open, VARIED);
      const wanted = VARIED.filter(filterMatcher(filter)).map(({ id }) => id);
      expect(idsOf(await store.list({ ...filter, limit: 100 }))).toEqual(wanted);
      const newest = await store.list({ ...filter, limit: 2 });
      expect(idsOf(newest)).toEqual(wanted.slice(-2));
    });

    it('finds the calls of any period, within a day or over several', async () => {
      const [dayMs, midnight] = [24 * 3_600_000, Date.parse('2026-11-15T00:00:00.000Z')];
      const times = [0, 1, 2, 3].flatMap((day) => [0, 1, dayMs - 1].map((ms) => day * dayMs + ms));
      const records = times.map((ms, n) =>
        callRecord(n, { time: new Date(midnight + ms).toISOString() }),
      );
      const store = await filled(open, records);
      const moments = [...times, 4 * dayMs].map((ms) => new Date(midnight + ms));
      const ends = [undefined, new Date(-8.64e15), ...moments, new Date(8.64e15)];
      for (const since of ends) {
        for (const until of ends) {
          const filter = { ...(since && { since }), ...(until && { until }) };
          const wanted = records.filter(filterMatcher(filter)).map(({ id }) => id);
          expect(
            idsOf(await store.list({ ...filter, limit: 100 })),
            JSON.stringify(filter),
          ).toEqual(wanted);
        }
      }
    });

    it.each([0, 1, 40])('ends a call that was announced %i days before', async (days) => {
      const time = new Date(START - days * 24 * 3_600_000).toISOString();
      const store = await filled(open, [intentRecord(1, { time })]);
      const end = callRecord(2, { intent: 'writerab-1' });
      await store.add(JOURNAL, sliceOf(end), { part: 1, offset: 100 }, { part: 1, offset: 200 });
      expect(await store.list({ limit: 10 })).toMatchObject([{ time, outcome: 'ok', ms: 10 }]);
    });

    it.each(FILTERS)('counts what the filter %j means', async (filter) => {
      const store = await filled(open, VARIED);
      const calls = VARIED.filter(filterMatcher(filter)).filter(({ kind }) => kind !== 'gap');
      const { total, days } = await store.stats(filter);
      expect(total.calls).toBe(calls.length);
      expect(days.map(({ calls: count }) => count)).toEqual(calls.length > 0 ? [calls.length] : []);
    });

    it('keeps how long a call waited for a person, and leaves it out of percentiles (M24)', async () => {
      const store = await filled(open, [intentRecord(1), callRecord(2)]);
      const end = callRecord(3, { intent: 'writerab-1', ms: 118_010, waitedMs: 118_000 });
      await store.add(JOURNAL, sliceOf(end), { part: 1, offset: 100 }, { part: 1, offset: 200 });
      const rows = await store.list({ limit: 10 });
      expect(rows).toMatchObject([{ ms: 118_010, waitedMs: 118_000 }, { waitedMs: null }]);
      expect((await store.stats({})).total.p95).toBeCloseTo(10, 0);
    });

    it('counts calls, errors and durations by server, tool, caller and day', async () => {
      const slow = Array.from({ length: 5 }, (_, i) => callRecord(100 + i, { ms: 900 }));
      const fast = Array.from({ length: 95 }, (_, i) => callRecord(i, { ms: 20 }));
      const failed = callRecord(90_000, { tool: 'fs:x', caller: 'ada', outcome: 'tool-error' });
      const store = await filled(open, [...fast, ...slow, failed]);
      const { total, servers, tools, callers, days } = await store.stats({});
      expect(total).toMatchObject({ calls: 101, errors: 1 });
      expect(total.p50! / 20).toBeCloseTo(1, 1);
      // Each has 2 characters of arguments and 20 of a result, and 4 make a token.
      expect([total, servers[0], ...tools].map((each) => each!.tokens)).toEqual([556, 556, 550, 6]);
      expect(servers.map(({ name: each, calls }) => [each, calls])).toEqual([['fs', 101]]);
      expect(tools.map(({ name: each, calls, errors }) => [each, calls, errors])).toEqual([
        ['fs:read_file', 100, 0],
        ['fs:x', 1, 1],
      ]);
      expect(tools[0]!.p95! / 20).toBeCloseTo(1, 1);
      expect(callers.map(({ name: each }) => each)).toEqual(['test', 'ada']);
      expect(days.map(({ name: each }) => each)).toEqual(['2026-11-15', '2026-11-16']);
    });

    it('deletes what is too old', async () => {
      const store = await filled(open, [
        callRecord(1),
        callRecord(2),
        eventRecord(3),
        callRecord(4),
      ]);
      expect(await store.prune(new Date(START + 4000).toISOString())).toBe(2);
      expect(idsOf(await store.list({ limit: 10 }))).toEqual(['writerab-4']);
    });

    it('forgets the records of a journal up to a number, and those of no other', async () => {
      const store = await filled(open, [callRecord(9), callRecord(10), callRecord(11)]);
      const other = callRecord(1, { id: 'writerac-1' });
      await store.add('20261115T093012-writerac', sliceOf(other), undefined, {
        part: 1,
        offset: 1,
      });
      // A store without `forget` holds the journals of several machines.
      if (!store.forget) return;
      await store.forget(JOURNAL, 10, false);
      expect(idsOf(await store.list({ limit: 10 }))).toEqual(['writerac-1', 'writerab-11']);
      expect((await store.positions()).has(JOURNAL)).toBe(true);
      await store.forget(JOURNAL, 11, true);
      expect((await store.positions()).has(JOURNAL)).toBe(false);
    });
  });
}
