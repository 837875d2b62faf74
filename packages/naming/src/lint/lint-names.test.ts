import fc from 'fast-check';
import { describe, expect, it } from 'vitest';

import { profileById } from '../profile/client-profiles.js';
import { lintNames } from './lint-names.js';

const rulesFor = (...names: unknown[]) =>
  lintNames(names.map((name) => ({ name }))).map(
    ({ rule, severity, tool }) => `${severity} ${rule} ${tool}`,
  );

describe('the name linter', () => {
  it('reports nothing about ordinary names', () => {
    expect(rulesFor('read_file', 'writeFile', 'list2', 'v1')).toEqual([]);
  });

  it.each([
    ['no name', [''], ['error name-missing ']],
    ['a name that is no text', [42], ['error name-missing ']],
    ['the same name twice', ['a', 'a', 'a'], ['error name-duplicate a']],
    ['a character outside the specification', ['read:file'], ['warning name-characters read:file']],
    [
      'a character that only some clients refuse',
      ['read-file'],
      ['info name-characters read-file'],
    ],
    ['too long for some', ['x'.repeat(60)], [`warning name-length ${'x'.repeat(60)}`]],
    ['too long for the specification', ['x'.repeat(129)], [`error name-length ${'x'.repeat(129)}`]],
    ['a digit in front', ['9lives'], ['info name-characters 9lives']],
    ['nothing at all', [undefined], ['error name-missing ']],
    [
      'several things in one name, in the order of the rules’ ids',
      ['read:file', 'a:b', 'read:file'],
      [
        'warning name-characters a:b',
        'warning name-characters read:file',
        'error name-duplicate read:file',
      ],
    ],
    ['case', ['Read', 'read'], ['warning name-case Read', 'warning name-case read']],
  ])('finds %s', (_, names, expected) => {
    expect(rulesFor(...names)).toEqual(expected);
  });

  it('keeps letters apart that only share a capital letter', () => {
    expect(rulesFor('straße', 'strasse').filter((line) => line.includes('name-case'))).toEqual([]);
  });

  it('finds names that become equal in a client', () => {
    const findings = lintNames([{ name: 'pat.batch' }, { name: 'pat_batch' }], {
      clients: [profileById('claude-code'), profileById('windsurf')],
    });
    const collisions = findings.filter(({ rule }) => rule === 'name-collision');
    expect(collisions.map(({ tool, clients }) => [tool, clients])).toEqual([
      ['pat.batch', ['claude-code']],
      ['pat_batch', ['claude-code']],
    ]);
    expect(collisions[0]?.message).toBe('Becomes the same name as pat_batch in Claude Code.');
  });

  it('finds look-alike, mixed and invisible letters', () => {
    const rules = new Set(
      rulesFor('read', 'r\u0435ad', 're\u200bad').map((line) => line.split(' ')[1]),
    );
    expect(rules).toEqual(new Set(['name-characters', 'name-confusable', 'name-invisible']));
  });

  it('names the clients that matter, and counts the server’s own key', () => {
    const name = 'x'.repeat(55);
    const options = { clients: [profileById('cursor'), profileById('windsurf')] };
    expect(lintNames([{ name }], { ...options, key: 'abc' })).toEqual([]);
    expect(lintNames([{ name }], { ...options, key: 'abcd' })).toMatchObject([
      { rule: 'name-length', clients: ['cursor'] },
    ]);
  });

  it('suggests a name that is legal and free', () => {
    const fixFor = (...names: string[]) => lintNames(names.map((name) => ({ name })))[0]?.fix;
    expect(fixFor('read file')).toBe('Call it read_file.');
    expect(fixFor('größe_ändern')).toBe(
      'Use letters, digits and underscores, beginning with a letter.',
    );
    expect(fixFor('résumé')).toBe('Call it resume.');
    expect(fixFor('read-file', 'read_file')).toContain('Use letters');
  });

  it('accepts any list and any key', () => {
    expect(lintNames([null, 7, 'x'] as unknown[])).toHaveLength(1);
    const key = '@modelcontextprotocol/server-sequential-thinking';
    expect(lintNames([{ name: 'think_step_by_step' }], { key }).map(({ rule }) => rule)).toContain(
      'name-length',
    );
  });

  it('keeps its report short for thousands of look-alikes', () => {
    const names = Array.from({ length: 4_000 }, (_, i) => ({
      name: `x${'-_.'[i % 3]!.repeat(1 + (i % 90))}${i % 45}`,
    }));
    expect(JSON.stringify(lintNames(names)).length).toBeLessThan(10_000_000);
  });

  it('never throws, and does not depend on the order', () => {
    fc.assert(
      fc.property(fc.array(fc.record({ name: fc.anything() }), { maxLength: 8 }), (tools) => {
        expect(lintNames(tools.toReversed())).toEqual(lintNames(tools));
      }),
      { numRuns: 300 },
    );
  });
});
