import { writeFileSync } from 'node:fs';
import { join } from 'node:path';

import { describe, expect, it } from 'vitest';

import { auditFolder } from '../../../../test/testing/audit-folder.js';
import { readLines } from './read-lines.js';

function fileWith(text: string): string {
  const file = join(auditFolder(), 'file');
  writeFileSync(file, text);
  return file;
}

describe('the lines of a file', () => {
  it('have their ends in bytes, and the last one may be half', () => {
    const file = fileWith('é\n\nlast');
    expect([...readLines(file)]).toEqual([
      { text: 'é', end: 3, isWhole: true },
      { text: '', end: 4, isWhole: true },
      { text: 'last', end: 8, isWhole: false },
    ]);
    expect([...readLines(file, 4)]).toEqual([{ text: 'last', end: 8, isWhole: false }]);
    expect([...readLines(file, 8)]).toEqual([]);
  });

  it('may be longer than what is read at once', () => {
    const lines = ['a'.repeat(1_500_000), 'é'.repeat(1_200_000), 'end'];
    const read = [...readLines(fileWith(lines.map((line) => `${line}\n`).join('')))];
    expect(read.map(({ text }) => text.length)).toEqual([1_500_000, 1_200_000, 3]);
    expect(read.every(({ text }, i) => text === lines[i])).toBe(true);
    expect(read.at(-1)).toEqual({ text: 'end', end: 3_900_006, isWhole: true });
  });
});
