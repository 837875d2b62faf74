import {
  appendFileSync,
  copyFileSync,
  cpSync,
  readFileSync,
  renameSync,
  rmSync,
  utimesSync,
  writeFileSync,
} from 'node:fs';
import { join, relative } from 'node:path';

import { describe, expect, it, onTestFinished } from 'vitest';

import { journalFolder } from '../../../../test/testing/audit-folder.js';
import { scratch } from '../../../../test/testing/scratch.js';
import { openJournal, writeCalls } from '../../../../test/testing/written-journal.js';
import { anchorText, readAnchor } from '../journal/anchor.js';
import { Journal } from '../journal/journal.js';
import { journalsIn } from '../journal/journal-folder.js';
import { folderSource } from '../journal/journal-source.js';
import { retain } from '../journal/retention.js';
import { readerOf, verifyFolder } from '../testing/audit-rows.js';
import { intentEntry } from '../testing/journal-entries.js';
import { chainedJournal, writeJournal } from '../testing/chained-journal.js';
import { anchorLine, verifyCopy, verifySource } from './verify.js';
import { committed } from '../testing/committed.js';

/** A journal of two files with ten blocks of two records. */
async function written() {
  const folder = journalFolder();
  const journal = new Journal({
    folder,
    durability: 'process',
    rotateBytes: 5_000,
    log: () => undefined,
    consequence: '',
  });
  for (let i = 0; i < 10; i++) {
    await Promise.all([
      committed(journal, intentEntry(2 * i)),
      committed(journal, intentEntry(2 * i + 1)),
    ]);
  }
  await journal.close(1_000);
  const [{ parts, anchor } = { parts: [], anchor: '' }] = journalsIn(folder);
  const [first, second] = parts;
  return { folder, first: first!.path, second: second!.path, anchor: anchor! };
}

function change(path: string, edit: (lines: string[]) => string[]): void {
  const lines = readFileSync(path, 'utf8').trimEnd().split('\n');
  writeFileSync(
    path,
    edit(lines)
      .map((line) => `${line}\n`)
      .join(''),
  );
}

const flawsOf = async (folder: string): Promise<string[]> =>
  (await verifyFolder(folder)).flaws.map(({ flaw }) => flaw);

describe('verifying a journal', () => {
  it('finds nothing wrong with an unchanged journal', async () => {
    const { folder } = await written();
    expect(await verifyFolder(folder)).toEqual({
      ok: true,
      journals: 1,
      records: 22,
      // Only intents were written.
      calls: 0,
      lost: 0,
      flaws: [],
      notes: [],
    });
  });

  it.each<[string, (lines: string[]) => string[], string[]]>([
    ['an edit', (lines) => lines.with(3, lines[3]!.replace('fs:x', 'fs:y')), ['edited']],
    [
      'one letter',
      (lines) => lines.with(4, lines[4]!.replace('"i"', '"j"').replace('s"', 't"')),
      ['edited'],
    ],
    ['a line taken out', (lines) => lines.toSpliced(4, 1), ['missing']],
    ['a block taken out', (lines) => lines.toSpliced(3, 2), ['missing']],
    [
      'two lines swapped',
      (lines) => lines.with(3, lines[4]!).with(4, lines[3]!),
      ['missing', 'moved', 'missing'],
    ],
    ['a line that is no record', (lines) => lines.toSpliced(4, 0, 'hello'), ['edited']],
    ['a line twice', (lines) => lines.toSpliced(4, 0, lines[4]!), ['moved']],
  ])('finds %s', async (_, edit, flaws) => {
    const { folder, first } = await written();
    change(first, edit);
    expect(await flawsOf(folder)).toEqual(flaws);
  });

  it('finds every single changed byte', async () => {
    const { folder, first } = await written();
    const bytes = readFileSync(first);
    const places = Array.from({ length: Math.ceil(bytes.length / 37) }, (_, i) => i * 37);
    // Each in a copy of its own, because a flaw is looked at again after a while.
    const found = places.map(async (at) => {
      const copy = scratch();
      cpSync(folder, copy, { recursive: true });
      const forged = Buffer.from(bytes);
      forged[at] = forged[at]! ^ 1;
      writeFileSync(join(copy, relative(folder, first)), forged);
      return (await verifyFolder(copy)).ok ? [`byte ${at}`] : [];
    });
    expect(places.length).toBeGreaterThan(100);
    expect((await Promise.all(found)).flat()).toEqual([]);
  });

  it('finds a changed last block, by the anchor', async () => {
    const { folder, second } = await written();
    change(second, (lines) => [...lines.slice(0, -1), lines.at(-1)!.replace('fs:x', 'fs:y')]);
    expect(await flawsOf(folder)).toEqual(['edited']);
  });

  it('finds a missing end, a missing file, and an anchor that is gone', async () => {
    const cut = await written();
    change(cut.second, (lines) => lines.slice(0, -1));
    expect(await flawsOf(cut.folder)).toEqual(['truncated']);
    const end = await written();
    rmSync(end.second);
    expect(await flawsOf(end.folder)).toEqual(['truncated']);
    const begin = await written();
    rmSync(begin.first);
    expect(await flawsOf(begin.folder)).toContain('missing');
    const bare = await written();
    rmSync(bare.anchor);
    expect(await flawsOf(bare.folder)).toEqual(['unanchored']);
  });

  it('finds a copy under another name, and a renamed journal', async () => {
    const { folder, first, second, anchor } = await written();
    const named = (path: string): string =>
      path.replace(/-[a-z0-9]{8}(?=\.\d+\.|\.anchor$)/, '-aaaaaaaa');
    for (const path of [first, second, anchor]) copyFileSync(path, named(path));
    const { ok, journals, flaws } = await verifyFolder(folder);
    expect([ok, journals]).toEqual([false, 2]);
    expect(flaws.map(({ journal, flaw }) => `${journal.slice(-8)} ${flaw}`)).toEqual(
      Array.from({ length: 3 }, () => 'aaaaaaaa moved'),
    );
    for (const path of [first, second, anchor]) rmSync(path);
    expect(await flawsOf(folder)).toEqual(['moved', 'moved', 'moved']);
  });

  it('finds a part that was renamed', async () => {
    const { folder, second } = await written();
    renameSync(second, second.replace('.0002.', '.0005.'));
    expect(await flawsOf(folder)).toEqual(['moved']);
  });

  it('finds records that were added after it was closed', async () => {
    const { folder, second } = await written();
    change(second, (lines) => [
      ...lines,
      lines.at(-1)!.replace(/-(\d+)"/, (_, n) => `-${Number(n) + 1}"`),
    ]);
    expect(await flawsOf(folder)).toEqual(['edited']);
  });
});

describe('verifying an exported copy', () => {
  async function exported() {
    const { folder } = await written();
    const file = join(folder, 'copy');
    const lines: string[] = [];
    for await (const line of readerOf(folder).export('jsonl')) lines.push(line);
    const write = (edit: (all: string[]) => string[] = (all) => all): string => {
      writeFileSync(
        file,
        edit(lines)
          .map((line) => `${line}\n`)
          .join(''),
      );
      return file;
    };
    return { write };
  }

  it('finds a journal that is there twice', () => {
    const linesOf = (name: string): string[] => {
      const { parts, anchor } = chainedJournal(name, [[2], [1]]);
      return [...parts.flat(), anchorLine(anchor)];
    };
    const [one, two] = [linesOf('20261115T093012-one'), linesOf('20261116T093012-two')];
    const file = join(scratch(), 'copy');
    writeFileSync(file, [...one, ...two, ''].join('\n'));
    expect(verifyCopy(file)).toMatchObject({ ok: true, journals: 2 });
    writeFileSync(file, [...one, ...two, ...one, ''].join('\n'));
    expect(verifyCopy(file).flaws).toMatchObject([
      { journal: '20261115T093012-one', flaw: 'moved', message: 'The journal is there twice.' },
    ]);
  });

  it('needs no folder that the copy came from', async () => {
    const { write } = await exported();
    expect(verifyCopy(write())).toMatchObject({ ok: true, journals: 1, records: 22 });
  });

  it.each<[string, (all: string[]) => string[], string]>([
    ['an edit', (all) => all.with(3, all[3]!.replace('fs:x', 'fs:y')), 'edited'],
    ['a missing line', (all) => all.toSpliced(4, 1), 'missing'],
    ['a missing first line', (all) => all.slice(1), 'missing'],
    ['a missing end', (all) => all.toSpliced(-2, 1), 'truncated'],
    ['a missing anchor', (all) => all.slice(0, -1), 'unanchored'],
    ['nothing but the anchor', (all) => all.slice(-1), 'truncated'],
  ])('finds %s', async (_, edit, flaw) => {
    const { write } = await exported();
    expect(verifyCopy(write(edit)).flaws.map((each) => each.flaw)).toContain(flaw);
  });
});

describe('verifying a journal that changes after it was listed (G5)', () => {
  function begun(rotateBytes = 1_000_000) {
    const folder = journalFolder();
    const journal = openJournal(folder, rotateBytes);
    onTestFinished(() => journal.close(0));
    return { folder, journal };
  }

  /** Verifies by a list that was made before a change. Every look gets this list. */
  async function verifyLater(folder: string, happens: () => void | Promise<void>) {
    const source = folderSource(folder);
    const listed = await source.journals();
    await happens();
    return verifySource({ ...source, journals: () => Promise.resolve(listed) });
  }

  it('is not alarmed if its process closes it', async () => {
    const { folder, journal } = begun();
    await writeCalls(journal, 3);
    const found = await verifyLater(folder, () => journal.close(1_000));
    expect(found).toMatchObject({ ok: true, flaws: [], notes: [], calls: 3 });
  });

  it('is not alarmed if its process writes the first records', async () => {
    const { folder, journal } = begun();
    // Opens its files and writes nothing.
    expect(journal.check()).toBeUndefined();
    rmSync(journalsIn(folder)[0]!.parts[0]!.path);
    const [{ anchor } = {}] = journalsIn(folder);
    const other = chainedJournal(journal.name, [[2], [2]]);
    const found = await verifyLater(folder, () => {
      writeJournal(folder, other, true);
      writeFileSync(anchor!, anchorText(other.anchor));
    });
    expect(found).toMatchObject({ ok: true, flaws: [], notes: [], records: 6 });
  });

  it('is not alarmed if its process begins further parts', async () => {
    const { folder, journal } = begun(2_000);
    await writeCalls(journal, 3);
    const found = await verifyLater(folder, async () => {
      await writeCalls(journal, 40);
      await journal.close(1_000);
    });
    expect(journalsIn(folder)[0]!.parts.length).toBeGreaterThan(3);
    expect(found).toMatchObject({ ok: true, flaws: [], notes: [], calls: 43 });
  });

  it('is not alarmed if it is deleted for its age, in part or as a whole', async () => {
    for (const parts of [1, 2]) {
      const { folder, first, second } = await written();
      const source = folderSource(folder);
      const listed = await source.journals();
      const lists = [listed];
      utimesSync(first, 1, 1);
      if (parts === 2) utimesSync(second, 1, 1);
      retain({ folder, own: 'own', before: 5_000, maxBytes: 2 ** 30 });
      const journals = async () => lists.shift() ?? (await source.journals());
      const found = await verifySource({ ...source, journals });
      expect(found).toMatchObject({ ok: true, flaws: [], journals: 2 - parts });
    }
  });

  it('is not alarmed if the process that deletes was killed half-way', async () => {
    const { folder, first, second } = await written();
    const kept = [first, second].map((path) => [path, readFileSync(path)] as const);
    utimesSync(first, 1, 1);
    retain({ folder, own: 'own', before: 5_000, maxBytes: 2 ** 30 });
    writeFileSync(...kept[0]!);
    expect(await verifyFolder(folder)).toMatchObject({ ok: true, flaws: [] });
    const [anchor] = journalsIn(folder).map((files) => files.anchor!);
    const { end, ...rest } = readAnchor(anchor)!;
    writeFileSync(anchor!, anchorText({ ...rest, end, pruned: end }));
    for (const [path] of kept) rmSync(path);
    expect(await verifyFolder(folder)).toMatchObject({ ok: true, flaws: [] });
    retain({ folder, own: 'own', maxBytes: 2 ** 30 });
    expect(journalsIn(folder)).toEqual([]);
  });

  it('is still alarmed if its anchor is gone', async () => {
    const { folder, anchor } = await written();
    expect(await verifyLater(folder, () => rmSync(anchor))).toMatchObject({
      ok: false,
      flaws: [{ flaw: 'unanchored' }],
    });
  });
});

describe('a line that is not whole (G18)', () => {
  it('is no sign of death while its process is running', async () => {
    const folder = journalFolder();
    const journal = openJournal(folder);
    onTestFinished(() => journal.close(0));
    await writeCalls(journal, 2);
    appendFileSync(journalsIn(folder)[0]!.parts[0]!.path, '{"id":"half');
    const { ok, notes } = await verifyFolder(folder);
    expect({ ok, notes }).toMatchObject({ ok: true, notes: [{ note: 'torn', count: 11 }] });
    expect(notes[0]!.message).toContain('The gateway is running');
    expect(notes[0]!.message).not.toContain('died');
  });
});
