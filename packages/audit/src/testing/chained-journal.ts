/** Journals as text, for tests that change them. No process writes them. */

import { createHash } from 'node:crypto';
import { mkdirSync, writeFileSync } from 'node:fs';

import { type Anchor, anchorText, GENESIS, type Place } from '../journal/anchor.js';
import { anchorPath, partPath } from '../journal/journal-folder.js';

export interface ChainedJournal {
  readonly name: string;
  /** The lines of each part. The first line of a part is its header. */
  readonly parts: readonly (readonly string[])[];
  /** The ends of the parts. */
  readonly ends: readonly Place[];
  readonly anchor: Anchor;
}

/**
 * A journal of a process that has ended. Each part is a list of blocks, each a number of records.
 * The first block of a part has a header besides. `more`: members of each record.
 */
export function chainedJournal(
  name: string,
  parts: readonly (readonly number[])[],
  more = '',
): ChainedJournal {
  const writer = name.slice(name.lastIndexOf('-') + 1);
  const ends: Place[] = [];
  let [end, next]: [Place, number] = [GENESIS, 0];
  const linesOf = (blocks: readonly number[], part: number): string[] => {
    end = { ...end, part, size: 0 };
    const written = blocks.map((count, at) => {
      const block: string[] = [];
      const add = (members: string): void => {
        const prev = block.length === 0 ? `"prev":"${end.hash}",` : '';
        block.push(`{${prev}"id":"${writer}-${next++}","time":"t",${members}}`);
      };
      if (at === 0) add(`"kind":"journal","severity":"info","journal":"${name}","part":${part}`);
      for (let i = 0; i < count; i++) add(`"kind":"call","text":"é"${more}`);
      const bytes = Buffer.from(textOf(block));
      const hash = createHash('sha256').update(bytes).digest('hex');
      end = { part, size: end.size + bytes.length, n: next - 1, hash };
      return block;
    });
    ends.push(end);
    return written.flat();
  };
  const lines = parts.map((blocks, index) => linesOf(blocks, index + 1));
  const time = new Date().toISOString();
  // No process on this machine has this number.
  const process = { time, pid: 2 ** 22 + 1, host: 'another' };
  const anchor = { journal: name, end, synced: -1, unwritten: 0, ...process };
  return { name, parts: lines, ends, anchor };
}

/** Writes the files of a journal. Returns the paths of its parts. */
export function writeJournal(
  folder: string,
  { name, parts, anchor }: Pick<ChainedJournal, 'name' | 'parts' | 'anchor'>,
  isOpen = false,
): string[] {
  mkdirSync(folder, { recursive: true });
  writeFileSync(anchorPath(folder, name, isOpen), anchorText(anchor));
  return parts.map((lines, index) => {
    const path = partPath(folder, name, index + 1);
    writeFileSync(path, textOf(lines));
    return path;
  });
}

function textOf(lines: readonly string[]): string {
  return lines.map((line) => `${line}\n`).join('');
}
