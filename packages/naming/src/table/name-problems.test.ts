import { describe, expect, it } from 'vitest';

import { TOOL_SCOPE } from '../pattern/pattern-scope.js';
import { namePattern } from '../pattern/pattern.js';
import { profileById } from '../profile/client-profiles.js';
import type { NameTableOptions } from '../render/named-tool.js';
import { createNameTable } from './name-table.js';

type Options = Partial<NameTableOptions> & { readonly id?: string };

const problems = (names: readonly string[], { id = 'canonical', ...options }: Options = {}) => {
  const refs = names.map((name) => {
    const colon = name.indexOf(':');
    return { server: name.slice(0, colon), tool: name.slice(colon + 1) };
  });
  return createNameTable(refs, { profile: profileById(id), ...options }).problems;
};
const pattern = (text: string) => namePattern(text, { scope: TOOL_SCOPE });

describe('a problem has a severity, and says in words what is wrong', () => {
  it.each<[string, string, readonly string[], Options, string]>([
    ['invalid-key', 'error', [':x'], {}, 'A server key must not be empty'],
    ['invalid-tool', 'error', ['a:'], {}, 'Server "a" lists a tool without a name.'],
    ['duplicate', 'warning', ['a:x', 'a:x'], {}, 'a:x is listed more than once'],
    ['case-collision', 'warning', ['a:X', 'a:x'], {}, 'a:X and a:x differ only in upper'],
    ['confusable', 'warning', ['a:x-y', 'a:x_y'], {}, 'a:x-y and a:x_y look alike.'],
    ['confusable', 'warning', ['hub1:a', 'hubl:b'], {}, 'hub1 and hubl look alike.'],
    [
      'collision',
      'error',
      ['b:x', 'a:x'],
      { id: 'identity' },
      'a:x and b:x would all be called x in names as the servers give them.',
    ],
    [
      'alias-target',
      'warning',
      ['a:x'],
      { aliases: { short: 'a:gone' } },
      'Alias "short" stands for a:gone, which no server offers.',
    ],
    [
      'alias-taken',
      'warning',
      ['a:x', 'b:y'],
      { aliases: { 'b:y': 'a:x' } },
      'Alias "b:y" for a:x is already the name of b:y.',
    ],
    [
      'renamed-key-in-use',
      'warning',
      ['a:x', 'b:y'],
      { renamed: { b: 'a' } },
      '"b" was renamed to "a", but a server has the old key again.',
    ],
    [
      'renamed-target',
      'warning',
      ['a:x'],
      { renamed: { b: 'gone' } },
      '"b" was renamed to "gone", which no server has.',
    ],
    [
      'renamed-loop',
      'warning',
      ['a:x'],
      { renamed: { b: 'b' } },
      '"b" was renamed in a circle, so its old names find no tool.',
    ],
    [
      'illegal-characters',
      'info',
      ['9gag:post'],
      { id: 'bedrock' },
      'it contains characters that are not accepted there.',
    ],
    [
      'too-long',
      'info',
      [`a:${'x'.repeat(99)}`],
      { id: 'cursor' },
      'in Cursor: it is longer than accepted there.',
    ],
    ['looks-marked', 'info', ['a:b_h1'], { id: 'openai' }, 'it ends like one of our marks.'],
    [
      'ambiguous',
      'info',
      ['a_b:c'],
      { id: 'openai', pattern: pattern('{server}_{tool}') },
      'it could be split in more than one way.',
    ],
    [
      'separator-in-key',
      'info',
      ['a__b:x', 'a__b:y'],
      { id: 'openai' },
      'Server key "a__b" makes it unclear where the separator "__"',
    ],
  ])('%s, %s', (code, severity, names, options, message) => {
    expect(problems(names, options)).toMatchObject([
      { code, severity, message: expect.stringContaining(message) },
    ]);
  });

  it('for an alias that is the name of several tools', () => {
    const options = { id: 'identity', aliases: { x: 'a:x' } };
    expect(problems(['a:x', 'b:x'], options)[0]).toMatchObject({
      code: 'alias-taken',
      message: 'Alias "x" for a:x is already the name of several tools.',
    });
  });

  it('for a canonical name that is the visible name of another tool', () => {
    const found = problems(['a:b', 'b:a', 'c:d'], { pattern: pattern('{tool}:{server}') });
    expect(found).toMatchObject([
      {
        code: 'shadowed-name',
        severity: 'warning',
        tools: ['a:b', 'b:a'],
        message: '"a:b" is the visible name of b:a, so calls go to that tool.',
      },
      { code: 'shadowed-name', tools: ['b:a', 'a:b'] },
    ]);
  });
});

describe('a tool', () => {
  it('has one problem for each reason why its name was changed', () => {
    const tool = `a-b:${'x_'.repeat(30)}h1`;
    expect(problems([tool], { id: 'cursor' }).map(({ code }) => code)).toEqual([
      'illegal-characters',
      'looks-marked',
      'too-long',
    ]);
  });

  it('has none if its name is exact', () => {
    expect(problems(['a:x', 'a:y', 'b:x'], { id: 'cursor' })).toEqual([]);
  });
});

describe('tools that look alike', () => {
  it('are reported once, although they look alike in the client too', () => {
    expect(problems(['a:x1', 'a:xl'], { id: 'openai' })).toHaveLength(1);
  });

  it('are reported where only their visible names look alike', () => {
    expect(problems(['a_b:c1', 'a:b_cl'], { id: 'openai' })).toMatchObject([
      { code: 'confusable', tools: ['a:b_cl', 'a_b:c1'] },
    ]);
  });

  it('are only a collision where their visible names are equal', () => {
    expect(problems(['a:x', 'b:x'], { id: 'identity' }).map(({ code }) => code)).toEqual([
      'collision',
    ]);
  });

  it('are named up to four, in the order of their names', () => {
    const four = ['a:x___y', 'a:x__y', 'a:x-y', 'a:x.y'];
    expect(problems(four)[0]?.message).toBe('a:x-y and a:x.y and a:x___y and a:x__y look alike.');
    expect(problems([...four, 'a:x_y', 'a:x/y'])[0]?.message).toBe(
      'a:x-y and a:x.y and a:x/y and a:x___y and 2 more look alike.',
    );
  });
});

it('problems are sorted by code and then by tool', () => {
  const found = problems(['b:', 'z:q', 'z:q', 'a:', ':c']);
  expect(found.map(({ code, tools }) => `${code} ${tools.join()}`)).toEqual([
    'duplicate z:q',
    'invalid-key :c',
    'invalid-tool a:',
    'invalid-tool b:',
  ]);
});
