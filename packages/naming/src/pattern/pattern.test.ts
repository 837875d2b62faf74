import fc from 'fast-check';
import { describe, expect, it } from 'vitest';

import { compilePattern, namePattern } from './pattern.js';
import { ADAPTER_SCOPE, PREFIX_SCOPE, TOOL_SCOPE } from './pattern-scope.js';

const problemsOf = (text: string, options: Parameters<typeof compilePattern>[1]) => {
  const compiled = compilePattern(text, options);
  return compiled.ok ? [] : compiled.problems.map(({ code, position }) => [code, position]);
};

describe('the three conventions', () => {
  it('{server}:{tool}', () => {
    const pattern = namePattern('{server}:{tool}', { scope: TOOL_SCOPE });
    expect(pattern.format({ server: 'fs', tool: 'read_file' })).toBe('fs:read_file');
    expect(pattern.parse('fs:a:b')).toEqual({ server: 'fs', tool: 'a:b' });
    expect(pattern.parse('read_file')).toBeUndefined();
    expect(pattern.parse(':read_file')).toBeUndefined();
    expect(pattern.parse('fs:')).toBeUndefined();
  });

  it('{prefix}{tool} with a bound prefix', () => {
    const bind = { prefix: 'lightdash_tools__' };
    const pattern = namePattern('{prefix}{tool}', { scope: PREFIX_SCOPE, bind });
    expect(pattern.format({ tool: 'list_charts' })).toBe('lightdash_tools__list_charts');
    expect(pattern.parse('lightdash_tools__list_charts')).toEqual({ tool: 'list_charts' });
    expect(pattern.parse('list_charts')).toBeUndefined();
  });

  it('{adapter}_mcpaql_{endpoint}, whose endpoint is found from the right', () => {
    const pattern = namePattern('{adapter}_mcpaql_{endpoint}', { scope: ADAPTER_SCOPE });
    expect(pattern.format({ adapter: 'apple_mail', endpoint: 'read' })).toBe(
      'apple_mail_mcpaql_read',
    );
    expect(pattern.parse('my_mcpaql_thing_mcpaql_read')).toEqual({
      adapter: 'my_mcpaql_thing',
      endpoint: 'read',
    });
    expect(pattern.parse('apple_mail_mcpaql_readd')).toBeUndefined();
  });

  it('mcpaql_{endpoint}, the bare form', () => {
    const pattern = namePattern('mcpaql_{endpoint}', { scope: ADAPTER_SCOPE });
    expect(pattern.format({ endpoint: 'delete' })).toBe('mcpaql_delete');
  });
});

describe('a wrong pattern', () => {
  it.each([
    ['', [['empty', 0]]],
    [
      '{server}:{tol}',
      [
        ['unknown-variable', 9],
        ['missing-variable', 14],
      ],
    ],
    ['{server}', [['missing-variable', 8]]],
    ['{server}{tool}', [['indistinct', 8]]],
    ['{server}:{tool}:{tool}', [['repeated-variable', 16]]],
    [
      '{server}:{tool',
      [
        ['brace', 9],
        ['missing-variable', 14],
      ],
    ],
    [
      'server}:{tool}',
      [
        ['brace', 6],
        ['missing-variable', 14],
      ],
    ],
    ['{}{server}:{tool}', [['brace', 0]]],
    [
      '{constructor}:{tool}',
      [
        ['unknown-variable', 0],
        ['missing-variable', 20],
      ],
    ],
  ])('%j is reported at its place', (text, expected) => {
    expect(problemsOf(text, { scope: TOOL_SCOPE })).toEqual(expected);
  });

  it('must not use characters that the client does not allow', () => {
    const options = { scope: TOOL_SCOPE, characters: 'abc_' };
    expect(problemsOf('{server}:_😀{tool}', options)).toEqual([
      ['illegal-character', 8],
      ['illegal-character', 10],
    ]);
  });

  it('reports an illegal prefix at the place of its variable', () => {
    const options = { scope: PREFIX_SCOPE, characters: 'abc_', bind: { prefix: 'a:b:' } };
    expect(problemsOf('_{prefix}{tool}', options)).toEqual([
      ['illegal-character', 1],
      ['illegal-character', 1],
    ]);
  });

  it('still needs its required variables, bound or not', () => {
    const scope = { variables: { ...TOOL_SCOPE.variables, sep: { required: false } } };
    expect(problemsOf('{server}{sep}{tool}', { scope, bind: { sep: '' } })).toEqual([
      ['indistinct', 13],
    ]);
    expect(problemsOf('{server}_{tool}', { scope, bind: { tool: 'x' } })).toEqual([
      ['missing-variable', 15],
    ]);
    expect(problemsOf('{server}\u200b{tool}', { scope })).toEqual([['illegal-character', 8]]);
  });

  it('must contain the protocol’s name where it names adapters', () => {
    expect(problemsOf('{adapter}_aql_{endpoint}', { scope: ADAPTER_SCOPE })).toEqual([
      ['missing-text', 24],
    ]);
  });

  it('reports its problems in the order of their places', () => {
    const options = { scope: ADAPTER_SCOPE, characters: 'aql_' };
    expect(problemsOf('{adapter}:aql_{endpoint}', options)).toEqual([
      ['illegal-character', 9],
      ['missing-text', 24],
    ]);
  });

  it('needs what tells tools apart, in every scope', () => {
    const bind = { prefix: 'a_' };
    expect(problemsOf('{prefix}x', { scope: PREFIX_SCOPE, bind })).toEqual([
      ['missing-variable', 9],
    ]);
    expect(problemsOf('{adapter}_mcpaql', { scope: ADAPTER_SCOPE })).toEqual([
      ['missing-variable', 16],
    ]);
  });

  it('needs no separator beside a variable with few values', () => {
    expect(problemsOf('mcpaql{adapter}{endpoint}', { scope: ADAPTER_SCOPE })).toEqual([]);
  });

  it('is explained in words', () => {
    const compiled = compilePattern('{sever}:{tool}', { scope: TOOL_SCOPE });
    expect(compiled).toMatchObject({
      ok: false,
      problems: [
        { message: '{sever} is unknown.', advice: 'Use {server}, {tool}.' },
        { message: '{server} is missing, so different tools would share a name.' },
      ],
    });
  });

  it.each([
    ['{server}:{tool', 'An opening brace is never closed.', 'Close it: {tool}.'],
    ['{server}:{tool}}', 'A closing brace has no opening one.', 'Remove it; braces only'],
    ['{}{server}:{tool}', 'A pair of braces is empty.', 'Name a variable in it'],
  ])('%s has a problem with its braces', (text, message, advice) => {
    const compiled = compilePattern(text, { scope: TOOL_SCOPE });
    expect(compiled.ok ? [] : compiled.problems).toContainEqual(
      expect.objectContaining({ code: 'brace', message, advice: expect.stringContaining(advice) }),
    );
  });

  it('throws if it is written in code', () => {
    expect(() => namePattern('{server}', { scope: TOOL_SCOPE })).toThrow(/is not valid.*\{tool\}/);
  });
});

describe('format and parse', () => {
  it('are inverse, or parse gives other values with the same name', () => {
    const literal = fc.string({
      unit: fc.constantFrom('a', '_', ':', '.', '(', '\\', '😀'),
      minLength: 1,
    });
    const value = fc.string({
      unit: fc.constantFrom('a', '_', ':', '.', '(', '\\', '\n'),
      minLength: 1,
    });
    fc.assert(
      fc.property(literal, literal, value, value, (between, after, server, tool) => {
        const pattern = namePattern(`{server}${between}{tool}${after}`, { scope: TOOL_SCOPE });
        const name = pattern.format({ server, tool });
        const parsed = pattern.parse(name);
        expect(parsed && pattern.format(parsed)).toBe(name);
        const readable = name.indexOf(between, 1) === server.length;
        if (readable) expect(parsed).toEqual({ server, tool });
      }),
    );
  });
});
