/** The prose lint finds the texts of a file and the words in them. */

import { describe, expect, it } from 'vitest';

import { judge, lintFile } from '../../scripts/prose/prose-lint.mjs';

const LONG = `It says ${'very '.repeat(35)}much.`;

function found(file: string, source: string): string[] {
  return lintFile(file, source).map(({ line, kind, text }) => `${line} ${kind} ${text}`);
}

describe('C14: the prose lint reads', () => {
  it('comments, and takes lines that follow each other as one text', () => {
    const source = `/**\n * Nobody\n * asks.\n */\nconst a = 1;\n// It ends, to\n// the letter.\nlet b; // his own\n`;
    expect(found('a.ts', source)).toEqual(['1 comment Nobody', '8 comment his']);
    expect(found('a.ts', '// Kept to the letter.')).toEqual(['1 comment to the letter']);
  });

  it('strings that look like sentences, with their values and their parts joined', () => {
    expect(
      found('a.ts', "fail(`Ask whoever runs ${name}.`);\nfail('It is ' + 'not his' + x);"),
    ).toEqual(['1 message whoever', '2 message his']);
    expect(found('a.ts', "const word = 'nobody'; import a from './he/is/him.js';")).toEqual([]);
    const words = `const words = '${'she takes his door '.repeat(6)}'.split(' ');`;
    expect(found('a.ts', words)).toEqual([]);
  });

  it('titles of tests, and not the data of tests', () => {
    const source = [
      "describe('a door', () => {",
      "  it.each([['he and his sister']])('nobody %s', () => {});",
      "  it.skip('asks whoever comes', () => { send('he and his sister'); });",
      "  it.runIf(isRoot)('asks nobody', () => {});",
      '});',
    ].join('\n');
    expect(found('a.test.ts', source)).toEqual([
      '1 title door',
      '2 title nobody',
      '3 title whoever',
      '4 title nobody',
    ]);
  });

  it('Markdown without its code', () => {
    const source = [
      '# The house',
      '```sh\ncat house\n```',
      'See `house` and [this](house.md).',
      '- one\n- a stranger',
      '| his | `her` |',
    ].join('\n\n');
    expect(found('a.md', source)).toEqual(['1 page house', '10 page stranger', '12 page his']);
  });
});

describe('C14: the prose lint reports', () => {
  it('comments that lean on the one before, or do not say what happens (K32, K33)', () => {
    const source = [
      '/** The same as text. */',
      'let a;',
      '// The same, and larger.',
      'let b;',
      '/** Where it is. Unset: nowhere. */',
      'let c;',
      '/** False: it ended. */',
      'let d;',
      '/** The same server in both lists. */',
      'let e;',
    ].join('\n');
    expect(found('a.ts', source)).toEqual([
      '1 comment The same as ',
      '3 comment The same,',
      '5 comment Unset: ',
      '7 comment False: ',
    ]);
    expect(found('a.md', 'The same as before.')).toEqual([]);
  });

  it('comments with "also" where "including" or "even" is meant (K34)', () => {
    const source = '/** All servers, also those that sleep. It also ends. */\nlet a;';
    expect(found('a.ts', source)).toEqual(['1 comment , also']);
    expect(found('a.md', 'It works, also at night.')).toEqual([]);
  });

  it('long sentences in pages and messages, not in comments', () => {
    const start = LONG.slice(0, 40);
    expect(found('a.md', LONG)).toEqual([`1 page ${start}`]);
    expect(found('a.ts', `fail('${LONG}');`)).toEqual([`1 message ${start}`]);
    expect(found('a.ts', `// ${LONG}`)).toEqual([]);
    expect(found('a.ts', `run('select id from calls, ${LONG}');`)).toEqual([]);
    expect(found('a.ts', `fail('select one, ${LONG}');`)).toHaveLength(1);
    expect(found('a.md', `${LONG.slice(0, 90)}. ${LONG.slice(90)}`)).toEqual([]);
  });

  it('nothing about code, quotations and words that only contain one of the words', () => {
    expect(found('a.ts', '// `nobody` says "his", here and there. Leaves room for more.')).toEqual(
      [],
    );
  });
});

describe('C14: the verdict', () => {
  const [finding] = lintFile('packages/a/x.ts', '// Nobody asks.');
  const exception = { file: 'packages/a/x.ts', text: 'Nobody', reason: 'A name.' };

  it('has an error for each finding that is neither allowed nor pending', () => {
    expect(
      judge([finding!], { allowed: [], pending: ['packages/ab', 'packages/a/x'] }).errors,
    ).toEqual([finding]);
    expect(judge([finding!], { allowed: [exception], pending: [] })).toMatchObject({
      errors: [],
      unused: [],
    });
  });

  it('counts the findings of pending folders and names those without any', () => {
    expect(judge([finding!], { allowed: [], pending: ['packages/a', 'docs'] })).toEqual({
      errors: [],
      unused: [],
      waiting: [['packages/a', 1]],
      clean: ['docs'],
    });
  });

  it('names exceptions that are not needed', () => {
    expect(judge([], { allowed: [exception], pending: [] }).unused).toEqual([exception]);
  });
});
