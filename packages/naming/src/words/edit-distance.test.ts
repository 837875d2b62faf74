import fc from 'fast-check';
import { describe, expect, it } from 'vitest';

import { editDistance } from './edit-distance.js';

/** The definition, without optimizations. */
function plainDistance(a: string, b: string): number {
  const d = Array.from({ length: a.length + 1 }, (_, i) =>
    Array.from({ length: b.length + 1 }, (__, j) => (i === 0 ? j : j === 0 ? i : 0)),
  );
  for (let i = 1; i <= a.length; i++) {
    for (let j = 1; j <= b.length; j++) {
      const same = a[i - 1] === b[j - 1] ? 0 : 1;
      d[i]![j] = Math.min(d[i - 1]![j]! + 1, d[i]![j - 1]! + 1, d[i - 1]![j - 1]! + same);
      const swapped = i > 1 && j > 1 && a[i - 1] === b[j - 2] && a[i - 2] === b[j - 1];
      if (swapped) d[i]![j] = Math.min(d[i]![j]!, d[i - 2]![j - 2]! + 1);
    }
  }
  return d[a.length]![b.length]!;
}

describe('edit distance', () => {
  it.each([
    ['filesytem', 'filesystem', 1],
    ['craete', 'create', 1],
    ['', 'abc', 3],
    ['same', 'same', 0],
    ['abc', 'xyz', 3],
  ])('between %j and %j is %i', (a, b, distance) => {
    expect(editDistance(a, b, 4)).toBe(distance);
  });

  it('is found for words of any length', () => {
    const same = 'a'.repeat(200);
    expect(editDistance(`x${same}y`, `z${same}w`, 4)).toBe(2);
    expect(editDistance(`x${same}`, `${same}y`, 4)).toBe(2);
  });

  it('is exact up to its limit, and more than the limit beyond', () => {
    const word = fc.string({ unit: fc.constantFrom('a', 'b', 'c'), maxLength: 12 });
    fc.assert(
      fc.property(word, word, fc.integer({ min: 0, max: 5 }), (a, b, limit) => {
        expect(editDistance(a, b, limit)).toBe(Math.min(plainDistance(a, b), limit + 1));
      }),
      { numRuns: 20_000 },
    );
  });
});
