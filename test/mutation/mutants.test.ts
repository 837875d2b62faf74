/** The mutants of a source text, and the sample that is taken of them. */

import { describe, expect, it } from 'vitest';

import { apply, listMutants, markFunctions } from '../../scripts/mutation/mutants.mjs';
import { sample } from '../../scripts/mutation/sample.mjs';

const changes = (source: string): string[] =>
  listMutants('a.ts', source).map(({ change }) => change);

describe('the mutants of a text', () => {
  it.each([
    ['if (a) b();', ['a → true', 'a → false', 'b(); → ;']],
    ['f(a < b);', ['f(a < b); → ;', 'a < b → a <= b', 'a < b → a >= b']],
    ['x = a && b;', ['x = a && b; → ;', 'a && b → a || b']],
    ['x = a ?? b;', ['x = a ?? b; → ;', 'a ?? b → a', 'a ?? b → b']],
    ['x = a?.b;', ['x = a?.b; → ;', 'a?.b → a.b']],
    ['x = a?.[0];', ['x = a?.[0]; → ;', 'a?.[0] → a[0]']],
    ['const x = !a;', ['!a → a']],
    ['const x = a + b;', ['a + b → a - b']],
    ['const x = true;', ['true → false']],
    ["const x = 'word';", ["'word' → ''"]],
    ["const x = '';", ["'' → 'mutant'"]],
    ['const x = /^a$/u;', ['/^a$/u → /a$/u', '/^a$/u → /^a/u']],
    ['const f = () => a;', ['a → undefined']],
    ['const x = a.filter(b);', ['a.filter(b) → a']],
    ['const x = a.toLowerCase();', ['a.toLowerCase() → a']],
    ['const x = TABLE.indexOf(a);', []],
    ['const x = a.indexOf(b);', ['a.indexOf(b) → a.lastIndexOf(b)']],
    ['const x = a.some(b);', ['a.some(b) → a.every(b)']],
    ['for (const a of b) continue;', ['continue; → ;']],
    ['const x = { a };', ['{ a } → {}']],
  ])('%s', (source, expected) => {
    expect(changes(source)).toEqual(expected);
  });

  it.each([
    "import a from 'b';",
    "export { a } from 'b';",
    "type A = 'a' | 'b';",
    "const x = 'a text for people';",
    'const x = `a text of ${b}`;',
    'interface A { readonly a: true }',
    'class A extends B { constructor() { super(); } }',
  ])('none in %s', (source) => {
    expect(changes(source)).toEqual([]);
  });

  it('leaves no text that cannot be parsed', () => {
    // `a && b ?? c` is a syntax error.
    expect(changes('const x = (a && b) ?? c;')).toEqual([
      '(a && b) ?? c → (a && b)',
      '(a && b) ?? c → c',
      'a && b → a || b',
    ]);
  });

  it('is named by its place in the code and not by its line', () => {
    const source = 'function f(a) { return !a || !a; }';
    const moved = listMutants('a.ts', `const before = 1;\n\n${source}`);
    const named = (mutant: { in: string; change: string; nth: number }) => [
      mutant.in,
      mutant.change,
      mutant.nth,
    ];
    expect(moved.map(named)).toEqual(listMutants('a.ts', source).map(named));
    expect(moved.map(({ line }) => line)).toEqual([3, 3, 3, 3]);
    expect(moved.filter(({ change }) => change === '!a → a').map(({ nth }) => nth)).toEqual([1, 2]);
  });

  it('belongs to the function that holds it', () => {
    const source = 'const x = !a; function f(b = !c) { return () => !d; }';
    const units = new Map(listMutants('a.ts', source).map(({ change, unit }) => [change, unit]));
    expect([units.get('!a → a'), units.get('!c → c'), units.get('!d → d')]).toEqual([0, 1, 2]);
  });
});

it('marks the beginning of every function', () => {
  const source = 'function f() { return (a) => ({ a }); }';
  expect(markFunctions('a.ts', source, (unit) => `hit(${unit})`)).toBe(
    'hit(0);function f() {hit(1); return (a) => (hit(2),({ a })); }',
  );
});

it('applies edits from the end to the beginning', () => {
  const edits = [
    { start: 0, end: 1, text: 'long' },
    { start: 4, end: 5, text: '' },
  ];
  expect(apply('a + b', edits)).toBe('long + ');
});

describe('a sample', () => {
  const mutants = listMutants('a.ts', 'f(!a, !b, !c, !d, !e, !g, !h, !i, !j, !k, !l, !m);');
  const names = (some: typeof mutants): string[] => some.map(({ change }) => change);

  it('is the same for the same seed, and another for another', () => {
    const first = names(sample(mutants, 6, 1));
    expect(first).toHaveLength(6);
    expect(names(sample(mutants, 6, 1))).toEqual(first);
    expect(names(sample(mutants, 6, 2))).not.toEqual(first);
  });

  it('keeps its mutants when others come before them', () => {
    const more = [...listMutants('0.ts', 'f(!a, !b, !c);'), ...mutants];
    const own = sample(more, more.length, 1).filter(({ file }) => file === 'a.ts');
    expect(own).toEqual(sample(mutants, mutants.length, 1));
  });
});
