import { describe, expect, it } from 'vitest';

import { callEntry, intentEntry } from '../testing/journal-entries.js';
import type { AuditEntry, EventEntry } from './audit-entry.js';
import { fingerprintOf } from './record-line.js';
import { IsoTime } from './iso-time.js';
import { type LinePlace, recordLine } from './record-line.js';

const TIME = Date.parse('2026-11-15T09:30:12.345Z');

const place: LinePlace = { writer: 'w', journal: '20261115T093012-w', times: new IsoTime() };

const recordOf = (entry: AuditEntry, at: LinePlace = place): unknown =>
  JSON.parse(recordLine({ ...entry, time: TIME }, at));

describe('the line of an event', () => {
  const event: EventEntry = { kind: 'gap', n: 7, time: TIME, reason: 'the disk is full', count: 3 };

  it('names its own journal, unless it is about another one', () => {
    expect(recordOf(event)).toEqual({
      id: 'w-7',
      time: '2026-11-15T09:30:12.345Z',
      kind: 'gap',
      severity: 'error',
      journal: place.journal,
      reason: 'the disk is full',
      count: 3,
    });
    expect(recordOf({ ...event, journal: 'other' })).toMatchObject({ journal: 'other' });
  });

  it.each([
    ['gap', 'error'],
    ['pruned', 'notice'],
    ['torn', 'notice'],
    ['lost-end', 'warning'],
    ['alarm', 'error'],
  ] as const)('of kind %s has severity %s', (kind, severity) => {
    expect(recordOf({ ...event, kind })).toMatchObject({ kind, severity });
  });
});

describe('the line of a call', () => {
  it('has the sizes, the fingerprint, and the duration in whole microseconds', () => {
    const entry = { ...callEntry(1), n: 5, ms: 1.23456, session: 'a "quoted" session' };
    expect(recordOf(entry)).toMatchObject({
      id: 'w-5',
      kind: 'call',
      session: 'a "quoted" session',
      sizeIn: 30,
      sizeOut: 2,
      ms: 1.235,
      fingerprint: fingerprintOf('{"i":1}'),
    });
    expect(recordOf(entry)).not.toHaveProperty('intent');
    expect(recordOf(entry)).not.toHaveProperty('arguments');
  });

  it('says how long the call waited for a person, if it did (M24)', () => {
    expect(recordOf({ ...callEntry(1), n: 5, waitedMs: 0 })).not.toHaveProperty('waitedMs');
    const waited = recordOf({ ...callEntry(1), n: 5, ms: 9_412.7, waitedMs: 9_000.25 });
    expect(waited).toMatchObject({ ms: 9_412.7, waitedMs: 9_000.25 });
  });

  it('refers to its intent only if that was written, and repeats what it says', () => {
    const intent = { ...intentEntry(1), n: 0 };
    expect(JSON.parse(recordLine(intent, place))).toMatchObject({ id: 'w-0', kind: 'intent' });
    const end = { ...callEntry(2, intent), n: 1 };
    expect(recordOf(end)).toMatchObject({ intent: 'w-0', fingerprint: fingerprintOf('{"i":1}') });
    const lost = { ...callEntry(2, intentEntry(1)), n: 1 };
    expect(recordOf(lost)).not.toHaveProperty('intent');
    expect(recordOf(lost)).toMatchObject({ fingerprint: fingerprintOf('{"i":2}') });
  });

  it('keeps arguments as they are redacted with the schema of the tool', () => {
    const schema = '{"type":"object"}';
    const asked: unknown[] = [];
    const redact = (json: string, inputSchema: string | undefined): string => {
      asked.push([json, inputSchema]);
      return '{"i":"[redacted]"}';
    };
    const plain = callEntry(1);
    const facts = { ...plain.facts, definition: `{"name":"x","inputSchema":${schema}}` };
    const entry = { ...plain, facts, n: 1 };
    expect(recordOf(entry, { ...place, redact })).toMatchObject({
      fingerprint: fingerprintOf('{"i":1}'),
      arguments: { i: '[redacted]' },
    });
    recordOf({ ...plain, n: 2 }, { ...place, redact });
    expect(asked).toEqual([
      ['{"i":1}', schema],
      ['{"i":1}', undefined],
    ]);
  });

  it('has no fingerprint if the call has no arguments', () => {
    const entry = { ...callEntry(1), argumentsJson: undefined, n: 1 };
    expect(recordOf(entry)).not.toHaveProperty('fingerprint');
  });
});
