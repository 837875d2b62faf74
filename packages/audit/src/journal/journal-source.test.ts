import { appendFileSync, mkdirSync, rmSync, writeFileSync } from 'node:fs';

import { describe, expect, it } from 'vitest';

import { journalFolder } from '../../../../test/testing/audit-folder.js';
import { chainedJournal, writeJournal } from '../testing/chained-journal.js';
import { folderSource, type LinePiece } from './journal-source.js';
import type { Position } from './position.js';
import { partPath } from './journal-folder.js';

const [OLD, NEW] = [
  chainedJournal('20261115T093012-aaaaaaaa', [[1], [2], [1]]),
  chainedJournal('20261116T093012-bbbbbbbb', [[1]]),
];

function setup() {
  const folder = journalFolder();
  writeJournal(folder, NEW, true);
  const paths = writeJournal(folder, OLD);
  return { folder, paths, source: folderSource(folder) };
}

async function linesFrom(folder: string, from?: Position): Promise<LinePiece[]> {
  const [journal] = await folderSource(folder).journals();
  const pieces: LinePiece[] = [];
  for await (const piece of journal!.lines(from)) pieces.push(piece);
  return pieces;
}

const textsOf = (pieces: readonly LinePiece[]): unknown =>
  pieces.map(({ part, lines }) => [part, ...lines.map(({ text }) => text)]);

describe('the journals of a folder', () => {
  it('come oldest first, with their anchors', async () => {
    const journals = await setup().source.journals();
    expect(journals.map(({ name, writer, isOpen }) => [name, writer, isOpen])).toEqual([
      [OLD.name, 'aaaaaaaa', false],
      [NEW.name, 'bbbbbbbb', true],
    ]);
    expect(await journals[0]!.anchor()).toEqual(OLD.anchor);
  });

  it('are read from a position on', async () => {
    const { folder } = setup();
    const [first, second, third] = OLD.parts;
    expect(textsOf(await linesFrom(folder))).toEqual([
      [1, ...first!],
      [2, ...second!],
      [3, ...third!],
    ]);
    const offset = Buffer.byteLength(`${second![0]}\n`);
    expect(textsOf(await linesFrom(folder, { part: 2, offset }))).toEqual([
      [2, ...second!.slice(1)],
      [3, ...third!],
    ]);
    const { part, size } = OLD.ends[1]!;
    expect(textsOf(await linesFrom(folder, { part, offset: size }))).toEqual([[3, ...third!]]);
    expect(await linesFrom(folder, { part: 3, offset: 1e9 })).toEqual([]);
  });

  it('have a position near a record', async () => {
    const [journal] = await setup().source.journals();
    expect(await journal!.near!(4)).toEqual({ part: 2, offset: 0 });
  });

  it('are read in pieces of a thousand lines', async () => {
    const { folder, paths } = setup();
    writeFileSync(paths[0]!, 'x\n'.repeat(2_001));
    const sizes = (await linesFrom(folder)).map(({ part, lines }) => [part, lines.length]);
    expect(sizes).toEqual([
      [1, 1_000],
      [1, 1_000],
      [1, 1],
      [2, 3],
      [3, 2],
    ]);
  });

  it('may lose a part while they are read, but must not have one that cannot be read', async () => {
    const { folder, source, paths } = setup();
    const [journal] = await source.journals();
    rmSync(paths[1]!);
    const parts: number[] = [];
    for await (const { part } of journal!.lines()) parts.push(part);
    expect(parts).toEqual([1, 3]);
    mkdirSync(paths[1]!);
    await expect(linesFrom(folder)).rejects.toThrow('EISDIR');
  });

  it('end after their last whole line', async () => {
    const { source, paths, folder } = setup();
    appendFileSync(paths[2]!, '{"id":"half');
    expect(await source.ends()).toEqual(
      new Map([
        [OLD.name, { part: 3, offset: OLD.ends[2]!.size }],
        [NEW.name, { part: 1, offset: NEW.ends[0]!.size }],
      ]),
    );
    rmSync(partPath(folder, NEW.name, 1));
    expect([...(await source.ends()).keys()]).toEqual([OLD.name]);
  });
});
