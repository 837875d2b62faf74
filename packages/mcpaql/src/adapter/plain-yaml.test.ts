import { readPlainYaml } from '@callsign/config/problems';
import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { parseDocument, stringify } from 'yaml';

/** What the full parser reads, or nothing if it finds an error. */
function fully(text: string): { value: unknown } | undefined {
  try {
    const document = parseDocument(text, { version: '1.2', logLevel: 'error' });
    return document.errors.length > 0 ? undefined : { value: document.toJS() as unknown };
  } catch {
    return undefined;
  }
}

/** Words that YAML reads in a special way at some places. */
const ODD =
  'null ~ true False 0 -0 007 1.50 .5 5. 1e3 1E3 0x1F 0o17 .inf .nan - -- --- ... ? : :x a:b #x x#y << & * ! | > % @ ` {} [] {a} [a] , 2024-01-01 +1 -1 1_000'.split(
    ' ',
  );
const PHRASES = [
  'a: b',
  'a #b',
  'x:',
  ' a',
  'a ',
  '"',
  "'",
  "it's",
  '\t',
  'a\tb',
  'a\nb',
  '\n',
  'é\u2028',
];
const word = fc.oneof(
  fc.constantFrom(...ODD, ...PHRASES, 'plain', 'two words'),
  fc.string({ maxLength: 8 }),
  fc.string({ unit: 'binary', maxLength: 4 }),
);
const value = fc.letrec((tie) => ({
  any: fc.oneof(
    { maxDepth: 4 },
    word,
    fc.integer(),
    fc.double({ noNaN: true }),
    fc.boolean(),
    fc.constant(null),
    fc.array(tie('any'), { maxLength: 3 }),
    fc.dictionary(word, tie('any'), { maxKeys: 3 }),
  ),
})).any;
const lines = fc.array(
  fc
    .tuple(
      fc.constantFrom('', ' ', '  ', '   ', '    ', '\t'),
      fc.constantFrom(
        '',
        '- ',
        '- - ',
        '-',
        'a: ',
        'b:',
        '"c": ',
        "'d': ",
        '200: ',
        '# ',
        '? ',
        ': ',
      ),
      fc.oneof(
        fc.constant(''),
        fc.constantFrom(
          ...ODD,
          '|',
          '|-',
          '>',
          '"a"',
          "'a'",
          '"a\\n"',
          '"\\x41"',
          'a # b',
          '"a" # b',
        ),
        word.filter((text) => !text.includes('\n')),
      ),
    )
    .map((parts) => parts.join('')),
  { minLength: 1, maxLength: 8 },
);

describe('the fast reader of plain YAML', () => {
  it('returns what the full parser returns, for every text that it accepts', () => {
    const text = fc.tuple(lines, fc.constantFrom('\n', '\r\n'), fc.boolean());
    fc.assert(
      fc.property(text, ([each, end, isWhole]) => {
        const written = each.join(end) + (isWhole ? end : '');
        const read = readPlainYaml(written);
        if (read) expect(read).toEqual(fully(written));
      }),
      { numRuns: 6_000 },
    );
  });

  it('reads what the full writer writes, or refuses it', () => {
    let count = 0;
    fc.assert(
      fc.property(fc.dictionary(word, value, { minKeys: 1, maxKeys: 4 }), (document) => {
        const written = stringify(document, { lineWidth: 0, version: '1.2' });
        const read = readPlainYaml(written);
        if (!read) return;
        count++;
        expect(read).toEqual(fully(written));
      }),
      { numRuns: 1_500 },
    );
    expect(count).toBeGreaterThan(300);
  });

  it.each([
    ['maps in lists in maps', 'a:\n  - b: 1\n    c:\n      - d\n- x'.replace('\n- x', '')],
    ['lists at the column of their key', 'a:\n- 1\n- b: 2\n  c: 3\nd: 4\n'],
    ['lists in lists', 'a:\n  - - 1\n    - 2\n  - - 3\n'],
    ['comments and empty lines', '# top\na: 1 # one\n\n  # inside\nb: "#2" # two\n'],
    ['texts of several lines', 'a: |\n  one\n\n    two\nb: |-\n  three\nc: 1\n'],
    ['Windows line ends', 'a: |\r\n  one\r\n  two\r\nb:\r\n  - c\r\n'],
    ['quotes', `a: "it's \\"so\\": \\u00e9"\nb: 'say "so": it''s'\n"c d": 1\n`],
    ['the mark of a document', '---\na: GET /ships/{id}?x=1#y\n'],
    ['values that are missing', 'a:\nb:\n  c:\n  d: ~\n'],
    ['numbers and words', 'a: -1.5\nb: 1e21\nc: true\nd: 2024-01-01\n200: x\n'],
  ])('accepts %s', (_, text) => {
    const read = readPlainYaml(text);
    expect(read).toBeDefined();
    expect(read).toEqual(fully(text));
  });

  it.each([
    ['anchors', 'a: &x 1\nb: *x\n'],
    ['tags', 'a: !!str 1\n'],
    ['lists on one line', 'a: [1, 2]\n'],
    ['folded text', 'a: >\n  one\n  two\n'],
    ['a text that goes on in the next line', 'a: one\n  two\n'],
    ['a key twice', 'a: 1\na: 2\n'],
    ['a key with a meaning in JavaScript', '__proto__: 1\n'],
    ['two documents', 'a: 1\n---\nb: 2\n'],
    ['a tab as indent', 'a:\n\tb: 1\n'],
    ['a number that is a key', '0x10: a\n'],
    ['a single value', 'one\n'],
    ['nothing', '# only a comment\n'],
    ['too many levels', Array.from({ length: 200 }, (__, i) => `${' '.repeat(i)}a:\n`).join('')],
  ])('leaves %s to the full parser', (_, text) => {
    expect(readPlainYaml(text)).toBeUndefined();
  });
});
