import {
  appendFileSync,
  existsSync,
  mkdirSync,
  readFileSync,
  rmSync,
  writeFileSync,
} from 'node:fs';

import { describe, expect, it } from 'vitest';

import { journalFolder } from '../../../../test/testing/audit-folder.js';
import { verifyFolder } from '../testing/audit-rows.js';
import { type ChainedJournal, chainedJournal, writeJournal } from '../testing/chained-journal.js';
import { type Anchor, readAnchor } from './anchor.js';
import { anchorPath } from './journal-folder.js';
import { type FoundEvent, recoverJournals } from './recover.js';

const NAME = '20261115T093012-aaaaaaaa';
const LONG_AGO = '2001-01-01T00:00:00.000Z';

/** Two parts: the records 0 to 4, and 5 to 9. */
const JOURNAL = chainedJournal(NAME, [
  [1, 2, 1],
  [2, 2],
]);

/** A journal whose process died. */
function dead(change: Partial<Anchor> = {}, journal: ChainedJournal = JOURNAL) {
  const folder = journalFolder();
  const anchor = { ...journal.anchor, time: LONG_AGO, ...change };
  const paths = writeJournal(folder, { ...journal, anchor }, true);
  return { folder, paths, closed: anchorPath(folder, NAME, false) };
}

function recover(folder: string, own = 'own', canReport = true): FoundEvent[] {
  const found: FoundEvent[] = [];
  recoverJournals(folder, own, (events) => {
    found.push(...events);
    return canReport;
  });
  return found;
}

const keep = (path: string, lines: readonly string[]): void =>
  writeFileSync(path, lines.map((line) => `${line}\n`).join(''));

describe('a journal whose process died', () => {
  it('is closed, although an older one cannot be read', () => {
    const { folder, closed } = dead();
    mkdirSync(anchorPath(folder, '20261114T093012-bbbbbbbb', true));
    expect(() => recover(folder)).toThrow(
      'the journal 20261114T093012-bbbbbbbb cannot be read: its file is a folder',
    );
    expect(existsSync(closed)).toBe(true);
  });

  it('is closed, and its anchor keeps the end', () => {
    const { folder, closed } = dead({ unwritten: 0, synced: 3 });
    expect(recover(folder)).toEqual([]);
    expect(existsSync(anchorPath(folder, NAME, true))).toBe(false);
    expect(readAnchor(closed)).toMatchObject({ end: JOURNAL.anchor.end, synced: 3 });
    expect(recover(folder)).toEqual([]);
  });

  it.each([
    ['nothing', 0, undefined],
    ['a block of the same part', 1, { ...JOURNAL.ends[0]!, part: 2, size: 0 }],
    ['a whole part', 2, JOURNAL.ends[0]!],
  ])('may have written %s after its anchor', async (_, __, end) => {
    const { folder, closed } = dead(end ? { end } : {});
    expect(recover(folder)).toEqual([]);
    expect(readAnchor(closed)!.end).toEqual(JOURNAL.anchor.end);
    expect(await verifyFolder(folder)).toMatchObject({ ok: true, notes: [] });
  });

  it('loses the half line at its end', () => {
    const { folder, paths, closed } = dead();
    const whole = readFileSync(paths[1]!, 'utf8');
    appendFileSync(paths[1]!, '{"id":"half');
    expect(recover(folder)).toMatchObject([{ kind: 'torn', journal: NAME, count: 11 }]);
    expect(readFileSync(paths[1]!, 'utf8')).toBe(whole);
    expect(readAnchor(closed)!.end).toEqual(JOURNAL.anchor.end);
  });

  it('is left as it is if that cannot be reported', () => {
    const { folder, paths, closed } = dead();
    appendFileSync(paths[1]!, '{"id":"half');
    recover(folder, 'own', false);
    expect(readFileSync(paths[1]!, 'utf8')).toMatch(/half$/);
    expect(existsSync(closed)).toBe(false);
  });

  it.each<[string, Partial<Anchor>, string, string]>([
    ['the machine went down', {}, 'lost-end', 'the machine went down before'],
    ['all was on disk', { synced: 9 }, 'alarm', 'the records from 7 to 9 are gone'],
    ['some of it was on disk', { synced: 7 }, 'alarm', 'the records from 7 to 9 are gone'],
    ['the rest was on disk', { synced: 6 }, 'lost-end', 'the machine went down before'],
  ])('reports a missing end: %s', (_, change, kind, reason) => {
    const { folder, paths, closed } = dead(change);
    keep(paths[1]!, JOURNAL.parts[1]!.slice(0, 2));
    const event = { kind, journal: NAME, count: 3, reason: expect.stringContaining(reason) };
    expect(recover(folder)).toEqual([event]);
    const anchor = readAnchor(closed)!;
    // After an alarm the anchor keeps its old end, as evidence.
    expect(anchor.end.n).toBe(kind === 'alarm' ? 9 : 6);
    expect(anchor.isAlarmed).toBe(kind === 'alarm' ? true : undefined);
  });

  it('reports a missing last part, and a journal without any part', () => {
    const last = dead();
    rmSync(last.paths[1]!);
    expect(recover(last.folder)).toMatchObject([{ kind: 'lost-end', count: 5 }]);
    expect(readAnchor(last.closed)!.end).toEqual(JOURNAL.ends[0]);
    const none = dead();
    for (const path of none.paths) rmSync(path);
    expect(recover(none.folder)).toMatchObject([{ kind: 'lost-end', count: 10 }]);
  });

  it.each([
    ['shorter', 'e', true],
    ['as long', 'è', false],
    ['longer', 'éé', false],
  ])('whose last record was edited to be %s stays wrong', async (_, text, isAlarm) => {
    const { folder, paths } = dead();
    const lines = JOURNAL.parts[1]!;
    keep(paths[1]!, [...lines.slice(0, -1), lines.at(-1)!.replace('é', text)]);
    const reason = 'the last records are not the ones that the anchor knows';
    const alarm = { kind: 'alarm', journal: NAME, reason, count: 0 };
    expect(recover(folder)).toEqual(isAlarm ? [alarm] : []);
    const { flaws } = await verifyFolder(folder);
    expect(flaws[0]).toMatchObject({ flaw: 'edited' });
  });

  it.each<[string, Partial<Anchor>, FoundEvent[]]>([
    [
      'why',
      { unwritten: 7, reason: 'the disk is full' },
      [{ kind: 'gap', journal: NAME, reason: 'the disk is full', count: 7 }],
    ],
    [
      'nothing else',
      { unwritten: 1 },
      [
        {
          kind: 'gap',
          journal: NAME,
          reason: 'the gateway ended before they were written',
          count: 1,
        },
      ],
    ],
    // The journal continued, so it has recorded the gap itself.
    ['more later', { unwritten: 7, end: JOURNAL.ends[0]! }, []],
  ])('F17: reports what its anchor says is not written, and %s', (_, change, events) => {
    const { folder, closed } = dead(change);
    expect(recover(folder)).toEqual(events);
    expect(readAnchor(closed)).toMatchObject({ unwritten: 0 });
    expect(readAnchor(closed)).not.toHaveProperty('reason');
  });

  it('is removed if it never had a record', () => {
    const empty = chainedJournal(NAME, []);
    const { folder, closed } = dead({}, empty);
    expect(recover(folder)).toEqual([]);
    expect(existsSync(anchorPath(folder, NAME, true))).toBe(false);
    expect(existsSync(closed)).toBe(false);
  });
});

describe('a journal is not touched', () => {
  it.each<[string, Partial<Anchor>, string]>([
    ['if it is our own', {}, NAME],
    ['while its process may be running', { time: new Date().toISOString() }, 'own'],
  ])('%s', (_, change, own) => {
    const { folder } = dead(change);
    expect(recover(folder, own)).toEqual([]);
    expect(existsSync(anchorPath(folder, NAME, true))).toBe(true);
  });
});
