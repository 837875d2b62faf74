import { appendFileSync, mkdirSync, rmSync } from 'node:fs';

import { describe, expect, it } from 'vitest';

import { callRecord, intentRecord } from '../../../../test/contracts/audit-store.js';
import { journalFolder } from '../../../../test/testing/audit-folder.js';
import { anchorPath, partPath } from '../journal/journal-folder.js';
import type { Position } from '../journal/position.js';
import type { AuditStore, JournalSlice } from '../store/audit-store.js';
import { chainedJournal, writeJournal } from '../testing/chained-journal.js';
import { type FillOptions, fillStore } from './fill-store.js';

const MEMBERS = Object.entries(callRecord(1))
  .filter(([name]) => !['id', 'time', 'kind'].includes(name))
  .map(([name, value]) => `,"${name}":${JSON.stringify(value)}`)
  .join('');

/** Two parts: the records 0 to 4, and 5 to 7. */
const JOURNAL = chainedJournal('20261115T093012-aaaaaaaa', [[1, 3], [2]], MEMBERS);

type Added = [slice: JournalSlice, from: Position | undefined, to: Position];

/** A store that keeps what it is given. */
function setup(known?: Position) {
  const folder = journalFolder();
  const paths = writeJournal(folder, JOURNAL);
  const added: Added[] = [];
  const anchored: unknown[] = [];
  const asked: unknown[] = [];
  const store = {
    positions: (journals: readonly string[]) => {
      asked.push(journals);
      return Promise.resolve(new Map(known ? [[JOURNAL.name, known]] : []));
    },
    add: (_: string, ...rest: Added) => Promise.resolve(void added.push(rest)),
    anchor: (...rest: unknown[]) => Promise.resolve(void anchored.push(rest)),
  } as unknown as AuditStore;
  const fill = (options: Partial<FillOptions> = {}) => fillStore({ folder, store, ...options });
  const moves = (): unknown[] =>
    added.map(([{ lines, records }, from, to]) => [lines.length, records.length, from, to]);
  return { fill, folder, paths, added, anchored, asked, moves };
}

const [FIRST, SECOND] = JOURNAL.ends.map(({ part, size }) => ({ part, offset: size })) as [
  Position,
  Position,
];

describe('filling the tables', () => {
  it('adds every line of each part, moves the position, and saves the anchor', async () => {
    const { fill, added, anchored, asked, moves } = setup();
    expect(await fill()).toBe(8);
    expect(moves()).toEqual([
      [5, 5, undefined, FIRST],
      [3, 3, FIRST, SECOND],
    ]);
    expect(added.flatMap(([{ lines }]) => lines)).toEqual(JOURNAL.parts.flat());
    expect(anchored).toEqual([[JOURNAL.name, JOURNAL.anchor, false]]);
    expect(asked).toEqual([[JOURNAL.name]]);
  });

  it('adds in slices, and reports progress', async () => {
    const { fill, moves } = setup();
    const told: number[] = [];
    await fill({ recordsAtOnce: 2, onProgress: (count) => told.push(count) });
    expect(told).toEqual([2, 4, 5, 7, 8]);
    const offset = (lines: number): number =>
      Buffer.byteLength(`${JOURNAL.parts[0]!.slice(0, lines).join('\n')}\n`);
    expect(moves().slice(0, 3)).toEqual([
      [2, 2, undefined, { part: 1, offset: offset(2) }],
      [2, 2, { part: 1, offset: offset(2) }, { part: 1, offset: offset(4) }],
      [1, 1, { part: 1, offset: offset(4) }, FIRST],
    ]);
  });

  it('adds nothing twice if a slice ends with its part', async () => {
    const { fill, moves } = setup();
    await fill({ recordsAtOnce: 5 });
    expect(moves()).toEqual([
      [5, 5, undefined, FIRST],
      [3, 3, FIRST, SECOND],
    ]);
  });

  it.each<[string, Position, number]>([
    ['the middle of a part', { part: 1, offset: JOURNAL.parts[0]![0]!.length + 1 }, 7],
    ['the end of a part', FIRST, 3],
    ['the end', SECOND, 0],
    ['a part that is gone', { part: 3, offset: 0 }, 0],
  ])('continues from %s', async (_, known, count) => {
    const { fill, added } = setup(known);
    expect(await fill()).toBe(count);
    expect(added[0]?.[1]).toEqual(count === 0 ? undefined : known);
  });

  it('waits for the rest of a half line', async () => {
    const { fill, paths, moves } = setup(FIRST);
    appendFileSync(paths[1]!, '{"id":"half');
    expect(await fill()).toBe(3);
    expect(moves()).toEqual([[3, 3, FIRST, SECOND]]);
    const only = setup(SECOND);
    appendFileSync(only.paths[1]!, '{"id":"half');
    expect(await only.fill()).toBe(0);
    expect(only.added).toEqual([]);
  });

  it.each<[string, object, boolean]>([
    ['a call', callRecord(9), true],
    ['an intent', intentRecord(9), true],
    ['an event', { id: 'w-9', time: 't', severity: 'info', kind: 'gap' }, true],
    ['an event without a time', { id: 'w-9', severity: 'info', kind: 'gap' }, false],
    ['an event without a severity', { id: 'w-9', time: 't', kind: 'gap' }, false],
    ['a call without a tool', { ...callRecord(9), tool: undefined }, false],
    ['a call without a name', { ...callRecord(9), name: 1 }, false],
    ['a call without a method', { ...callRecord(9), method: undefined }, false],
    ['a call without a client', { ...callRecord(9), client: undefined }, false],
    ['a call without a version', { ...callRecord(9), clientVersion: undefined }, false],
    ['a call without an era', { ...callRecord(9), era: undefined }, false],
    ['a call without a session', { ...callRecord(9), session: undefined }, false],
  ])('takes %s as a record: %#', async (_, record, isRecord) => {
    const { fill, paths, added } = setup(SECOND);
    appendFileSync(paths[1]!, `${JSON.stringify(record)}\n`);
    expect(await fill()).toBe(isRecord ? 1 : 0);
    // A line that is not a record is still a line.
    expect(added[0]![0].lines).toHaveLength(1);
  });

  it('ends after the slice in which the signal comes, without an anchor', async () => {
    const end = new AbortController();
    const { fill, added, anchored } = setup();
    expect(
      await fill({ recordsAtOnce: 2, signal: end.signal, onProgress: () => end.abort() }),
    ).toBe(2);
    expect(added).toHaveLength(1);
    expect(await fill({ signal: end.signal })).toBe(0);
    expect(anchored).toEqual([]);
  });

  it('passes over a part that is gone, and fails if one cannot be read', async () => {
    const { fill, paths } = setup();
    rmSync(paths[0]!);
    expect(await fill()).toBe(3);
    mkdirSync(paths[0]!);
    await expect(fill()).rejects.toThrow(
      `the journal ${JOURNAL.name} cannot be read: its file is a folder`,
    );
  });

  it('fills in the other journals if one cannot be read', async () => {
    const { fill, folder, added } = setup();
    mkdirSync(partPath(folder, '20200101T000000-bbbbbbbb', 1));
    await expect(fill()).rejects.toThrow('the journal 20200101T000000-bbbbbbbb cannot be read');
    expect(added).toHaveLength(2);
    rmSync(partPath(folder, '20200101T000000-bbbbbbbb', 1), { recursive: true });
    mkdirSync(anchorPath(folder, '20200101T000000-bbbbbbbb', false));
    await expect(fill()).rejects.toThrow('the journal 20200101T000000-bbbbbbbb cannot be read');
    expect(added).toHaveLength(4);
  });
});
