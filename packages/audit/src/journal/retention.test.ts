import {
  existsSync,
  mkdirSync,
  readdirSync,
  rmSync,
  statSync,
  utimesSync,
  writeFileSync,
} from 'node:fs';

import { describe, expect, it } from 'vitest';

import { journalFolder } from '../../../../test/testing/audit-folder.js';
import { verifyFolder } from '../testing/audit-rows.js';
import { type ChainedJournal, chainedJournal, writeJournal } from '../testing/chained-journal.js';
import { readAnchor } from './anchor.js';
import { anchorPath, journalsIn } from './journal-folder.js';
import { retain, type RetentionOptions } from './retention.js';

/** Four parts: the records 0 to 2, 3 to 5, 6 to 8, and 9 to 11. */
const PARTS = [[2], [2], [2], [2]];
const OLD = chainedJournal('20261115T093012-aaaaaaaa', PARTS);
const NEW = chainedJournal('20261116T093012-bbbbbbbb', PARTS);
const PART_BYTES = OLD.ends[0]!.size;

interface Setup {
  readonly journals?: readonly ChainedJournal[];
  /** When the parts were last written, in seconds since 1970. */
  readonly times?: readonly (readonly number[])[];
  readonly isOpen?: boolean;
}

function setup({ journals = [OLD, NEW], times = TIMES, isOpen = false }: Setup = {}) {
  const folder = journalFolder();
  const paths = journals.map((journal, at) => {
    const written = writeJournal(folder, journal, isOpen);
    for (const [part, path] of written.entries()) {
      utimesSync(path, times[at]![part]!, times[at]![part]!);
    }
    return written;
  });
  const run = (options: Partial<RetentionOptions> = {}) =>
    retain({ folder, own: 'own', maxBytes: 2 ** 30, ...options });
  const partsLeft = (): number[][] =>
    journalsIn(folder).map(({ parts }) => parts.map(({ part }) => part));
  return { folder, paths, run, partsLeft };
}

const TIMES = [
  [100, 200, 300, 400],
  [500, 600, 700, 800],
];

describe('retention by age', () => {
  it('deletes the files that were last written before a time, and says what is gone', async () => {
    const { folder, run, partsLeft, paths } = setup();
    const { pruned, own } = run({ before: 300_000 });
    expect(own).toBeUndefined();
    expect(pruned).toEqual([
      {
        journal: OLD.name,
        through: OLD.ends[1],
        files: paths[0]!.slice(0, 2),
        isGone: false,
        event: { kind: 'pruned', journal: OLD.name, reason: expect.any(String), count: 6 },
      },
    ]);
    expect(partsLeft()).toEqual([
      [3, 4],
      [1, 2, 3, 4],
    ]);
    expect(readAnchor(anchorPath(folder, OLD.name, false))).toEqual({
      ...OLD.anchor,
      pruned: OLD.ends[1],
    });
    expect(await verifyFolder(folder)).toMatchObject({ ok: true, flaws: [] });
  });

  it('counts what it deletes later from where the journal began', async () => {
    const { folder, run } = setup();
    run({ before: 200_001 });
    expect(run({ before: 300_001 }).pruned).toMatchObject([
      { through: OLD.ends[2], event: { count: 3 } },
    ]);
    expect(await verifyFolder(folder)).toMatchObject({ ok: true, flaws: [] });
  });

  it('deletes a whole journal with its anchor', () => {
    const { folder, run, partsLeft } = setup();
    expect(run({ before: 400_001 }).pruned).toMatchObject([
      { journal: OLD.name, through: OLD.anchor.end, isGone: true, event: { count: 12 } },
    ]);
    expect(partsLeft()).toEqual([[1, 2, 3, 4]]);
    expect(existsSync(anchorPath(folder, OLD.name, false))).toBe(false);
  });

  it('deletes nothing if no time is given', () => {
    const { run, partsLeft } = setup();
    expect(run()).toEqual({ pruned: [] });
    expect(partsLeft().flat()).toHaveLength(8);
  });

  it('deletes a journal only from its beginning on', () => {
    const { run, partsLeft } = setup({ times: [[100, 900, 100, 100], TIMES[1]!] });
    run({ before: 300_000 });
    expect(partsLeft()[0]).toEqual([2, 3, 4]);
  });
});

describe('retention by size', () => {
  it('deletes the oldest files until a tenth below the limit is reached', () => {
    const { run, partsLeft } = setup();
    run({ maxBytes: 5 * PART_BYTES });
    // Of eight parts, four fit into nine tenths of the limit.
    expect(partsLeft()).toEqual([[1, 2, 3, 4]]);
  });

  it('deletes nothing while the limit is kept', () => {
    const { folder, run, partsLeft } = setup();
    const bytes = readdirSync(folder)
      .filter((file) => file.endsWith('.jsonl'))
      .reduce((sum, file) => sum + statSync(`${folder}/${file}`).size, 0);
    run({ maxBytes: bytes });
    expect(partsLeft().flat()).toHaveLength(8);
    run({ maxBytes: bytes - 1 });
    expect(partsLeft()[0]).toEqual([2, 3, 4]);
  });

  it('deletes the parts of one moment in their order', () => {
    const moment = [100, 100, 100, 100];
    const { run, partsLeft } = setup({ journals: [OLD], times: [moment] });
    run({ maxBytes: 3 * PART_BYTES });
    expect(partsLeft()).toEqual([[3, 4]]);
  });
});

describe('the journal that this process writes', () => {
  it('is left to its writer, and keeps its last part', () => {
    const { run, partsLeft, paths } = setup();
    const { pruned, own } = run({ own: OLD.name, before: 1e9 });
    expect(own).toMatchObject({
      journal: OLD.name,
      through: OLD.ends[2],
      files: paths[0]!.slice(0, 3),
      isGone: false,
      event: { count: 9 },
    });
    expect(pruned).toMatchObject([{ journal: NEW.name, isGone: true }]);
    expect(partsLeft()).toEqual([[1, 2, 3, 4]]);
  });

  it('is left alone if only its last part is old', () => {
    const one = chainedJournal(OLD.name, [[2]]);
    const { run } = setup({ journals: [one], times: [[100]] });
    expect(run({ own: OLD.name, before: 1e9 })).toEqual({ pruned: [] });
  });
});

describe('other journals', () => {
  it('are left alone while their process may be running', () => {
    const { run, partsLeft } = setup({ isOpen: true });
    expect(run({ before: 1e9 })).toEqual({ pruned: [] });
    expect(partsLeft().flat()).toHaveLength(8);
  });

  it('without an anchor are deleted too', () => {
    const { folder, run, partsLeft } = setup();
    for (const { name } of [OLD, NEW]) rmSync(anchorPath(folder, name, false));
    const { pruned } = run({ before: 600_000 });
    expect(pruned).toMatchObject([
      // Its end is not known, so nothing is counted.
      { journal: OLD.name, isGone: true, event: { count: 0 } },
      { journal: NEW.name, isGone: false, through: NEW.ends[0], event: { count: 3 } },
    ]);
    expect(partsLeft()).toEqual([[2, 3, 4]]);
  });

  it('with a part that cannot be read are deleted too', () => {
    const { run, paths, partsLeft } = setup({ journals: [OLD] });
    writeFileSync(paths[0]![1]!, '');
    const { pruned } = run({ before: 100_001 });
    expect(pruned).toMatchObject([{ through: { part: 0, n: -1 }, event: { count: 0 } }]);
    expect(partsLeft()).toEqual([[2, 3, 4]]);
  });

  it('are deleted, although another one cannot be read', () => {
    const { folder, run, partsLeft } = setup();
    const anchor = anchorPath(folder, OLD.name, false);
    rmSync(anchor);
    mkdirSync(anchor);
    const { pruned } = run({ before: 1e9 });
    expect(pruned).toMatchObject([{ journal: NEW.name }]);
    expect(partsLeft()).toEqual([[1, 2, 3, 4]]);
  });
});
