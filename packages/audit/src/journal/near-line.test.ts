import { mkdtempSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';

import { describe, expect, it } from 'vitest';

import { lineHead } from './line-head.js';
import { nearLine } from './near-line.js';
import { readLines } from './read-lines.js';

/** Parts with lines of different lengths. The numbers of each part follow those of the part before. */
function written(parts: readonly (readonly number[])[]): { part: number; path: string }[] {
  const folder = mkdtempSync(join(tmpdir(), 'callsign-near-'));
  let n = 0;
  return parts.map((lengths, index) => {
    const path = join(folder, `${index}.jsonl`);
    const lines = lengths.map((length) => `{"id":"w-${++n}","text":"${'é'.repeat(length)}"}\n`);
    writeFileSync(path, lines.join(''));
    return { part: index + 1, path };
  });
}

const short = (count: number): number[] => Array.from({ length: count }, (_, i) => i % 700);

describe('a record that is looked for by its number', () => {
  it('is at or after the position, and the position is the start of a line', () => {
    const parts = written([short(2_000), short(3), [], short(1_500)]);
    for (let n = 1; n <= 3_503; n += 13) {
      const { part, offset } = nearLine(parts, n)!;
      const numbers: number[] = [];
      let last = 0;
      for (const { text, end } of readLines(parts[part - 1]!.path, offset)) {
        numbers.push(lineHead(text)!.n);
        last = end;
        if (numbers.at(-1)! >= n) break;
      }
      expect(numbers.at(-1)).toBe(n);
      expect(last - offset).toBeLessThan(400_000);
    }
  });

  it('is found after lines that are longer than what is read at once', () => {
    const parts = written([[...short(1_000), 200_000, 200_000, 5, 200_000, 5]]);
    for (const n of [1_001, 1_002, 1_003, 1_004, 1_005]) {
      const lines = [...readLines(parts[0]!.path, nearLine(parts, n)!.offset)];
      expect(lines.map(({ text }) => lineHead(text)!.n)).toContain(n);
    }
  });

  it('has no position if every part begins after it, or is gone', () => {
    const [, second] = written([short(5), short(5)]);
    expect(nearLine([second!], 5)).toBeUndefined();
    expect(nearLine([second!], 6)).toEqual({ part: 2, offset: 0 });
    expect(nearLine([{ part: 1, path: join(tmpdir(), 'callsign-no-such-file') }], 1)).toBe(
      undefined,
    );
  });
});
