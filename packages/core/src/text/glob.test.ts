import fc from 'fast-check';
import { describe, expect, it } from 'vitest';

import { withoutHanging } from '../../../../test/hang-limit.js';
import { globMatcher } from './glob.js';

describe('a pattern over names', () => {
  it.each([
    ['fs:read_file', 'fs:read_file', true],
    ['fs:read_file', 'fs:read_file2', false],
    ['fs:read_file', 'xfs:read_file', false],
    ['fs:*', 'fs:read_file', true],
    ['fs:*', 'fs:a:b', true],
    ['fs:*', 'fs-home:read_file', false],
    ['*', 'anything:at all', true],
    ['*', '', true],
    ['', '', true],
    ['', 'x', false],
    ['*:delete_*', 'github:delete_repo', true],
    ['*delete*', 'a:delete', true],
    ['f*e', 'fs:read_file', true],
    ['a*a', 'a', false],
    ['**:x', 'a:b:x', true],
    ['fs:?', 'fs:a', true],
    ['fs:?', 'fs:😀', true],
    ['fs:?', 'fs:', false],
    ['fs:?', 'fs:ab', false],
    ['FS:*', 'fs:x', false],
    ['a*', 'a\nb', true],
    ['a?b', 'a\nb', true],
  ])('%j on %j: %j', (glob, name, matches) => {
    expect(globMatcher(glob)(name)).toBe(matches);
  });

  it('matches every character but * and ? literally', () => {
    const special = 'fs-home.a+b(c)[d]{e}^f$g|h\\i/j,k&l#m-n';
    expect(globMatcher(special)(special)).toBe(true);
    expect(globMatcher(`*${special}?`)(`x${special}y`)).toBe(true);
    expect(globMatcher('a.c')('abc')).toBe(false);
    expect(globMatcher('[ab]')('a')).toBe(false);
  });

  it('agrees with the plain definition, for any pattern', () => {
    const text = fc.string({ unit: fc.constantFrom('a', 'b', ':', '-', '😀') });
    const glob = fc.string({
      unit: fc.constantFrom('a', 'b', ':', '-', '*', '*', '?'),
      maxLength: 8,
    });
    const plainly = ([first, ...rest]: string[], name: string[]): boolean => {
      if (first === undefined) return name.length === 0;
      if (first === '*') {
        return plainly(rest, name) || (name.length > 0 && plainly([first, ...rest], name.slice(1)));
      }
      return (
        name.length > 0 && (first === '?' || first === name[0]) && plainly(rest, name.slice(1))
      );
    };
    fc.assert(
      fc.property(glob, text, (pattern, name) => {
        expect(globMatcher(pattern)(name)).toBe(plainly([...pattern], [...name]));
      }),
      { numRuns: 3_000 },
    );
  });

  it('does not hang on a name that was made to be slow', () => {
    const matches = globMatcher('*a*a*a*a*a*b');
    expect(withoutHanging(() => matches('a'.repeat(1_000_000)))).toBe(false);
  });
});
