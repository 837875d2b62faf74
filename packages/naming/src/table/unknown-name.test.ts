import { describe, expect, it } from 'vitest';

import { namePattern } from '../pattern/pattern.js';
import { TOOL_SCOPE } from '../pattern/pattern-scope.js';
import { profileById } from '../profile/client-profiles.js';
import { createNameTable } from './name-table.js';

const refs = [
  { server: 'fs', tool: 'read_file' },
  { server: 's3', tool: 'read_file' },
];

describe('the error for an unknown name', () => {
  const pattern = namePattern('{server}-{tool}', { scope: TOOL_SCOPE });
  const table = createNameTable(refs, { profile: profileById('openai'), pattern });

  it.each([
    ['fs-raed_file', 'not-found'],
    ['fs:raed_file', 'not-found'],
    ['read_file', 'missing-prefix'],
    ['fs__read_file', 'missing-prefix'],
    [':read_file', 'malformed'],
  ])('knows the operator’s own pattern: %s is %s', (name, kind) => {
    expect(table.explainUnknown(name).kind).toBe(kind);
  });

  it('has suggestions, even for a name without two parts', () => {
    expect(table.explainUnknown(':read_file').suggestions).toEqual([
      'fs-read_file',
      's3-read_file',
    ]);
  });
});

it('problems are found once, and kept', () => {
  const table = createNameTable([...refs, { server: '', tool: 'x' }], {
    profile: profileById('openai'),
  });
  const { problems } = table;
  expect(problems).toHaveLength(1);
  expect(table.problems).toBe(problems);
  expect([...table.findProblems()]).toEqual([]);
});

it('an old key that is not valid finds no tool', () => {
  const renamed = { 'a:b': 'fs', '': 's3' };
  const table = createNameTable(refs, { profile: profileById('canonical'), renamed });
  expect(table.find('a:b:read_file')).toBeUndefined();
  expect(table.find(':read_file')).toBeUndefined();
});
