import { describe, expect, it } from 'vitest';

import type { ClientProfile } from '../profile/client-profile.js';
import { profileById } from '../profile/client-profiles.js';
import { lintNames } from './lint-names.js';

const clients = (...ids: string[]): ClientProfile[] => ids.map(profileById);

/** The findings of one rule. Without `for` there is no client, so only the specification counts. */
const findings = (rule: string, names: readonly string[], where: readonly ClientProfile[] = []) =>
  lintNames(
    names.map((name) => ({ name })),
    { clients: where },
  ).filter((finding) => finding.rule === rule);
const messages = (...given: Parameters<typeof findings>) =>
  findings(...given).map(({ tool, message }) => `${tool}: ${message}`);

describe('name-missing', () => {
  it('is reported once for a list, however many tools have no name', () => {
    expect(findings('name-missing', ['', '', 'a'])).toMatchObject([
      { severity: 'error', tool: '' },
    ]);
    expect(findings('name-missing', ['a'])).toEqual([]);
  });

  it('is not reported again as a duplicate or as a bad name', () => {
    expect(lintNames([{ name: '' }, { name: '' }])).toHaveLength(1);
  });
});

describe('name-duplicate', () => {
  it('reports each repeated name once', () => {
    expect(findings('name-duplicate', ['b', 'a', 'b', 'c', 'b', 'a'])).toMatchObject([
      { severity: 'error', tool: 'a' },
      { severity: 'error', tool: 'b' },
    ]);
  });
});

describe('name-characters', () => {
  it('quotes each character that the specification does not allow, once', () => {
    expect(messages('name-characters', ['a b c/d'])).toEqual([
      'a b c/d: Contains " " "/"; the specification allows letters, digits, "_", "-" and ".".',
    ]);
  });

  it('quotes eight of many, and a character outside the BMP as one', () => {
    const [message] = messages('name-characters', ['a!#$%&()*+']);
    expect(message).toContain('Contains "!" "#" "$" "%" "&" "(" ")" "*"; the');
    expect(messages('name-characters', ['😀'])[0]).toContain('Contains "😀"; the');
  });

  it('accepts what the specification allows, if no client is named', () => {
    expect(findings('name-characters', ['read-file.v2', '9lives'])).toEqual([]);
  });

  it('is only a note where the name is legal, and names the clients that refuse it', () => {
    const where = clients('claude-desktop', 'gemini', 'cursor');
    expect(findings('name-characters', ['read.file'], where)).toMatchObject([
      {
        severity: 'info',
        message: 'Contains ".", which some clients do not accept.',
        clients: ['claude-desktop', 'cursor'],
        fix: 'Call it read_file.',
      },
    ]);
    expect(findings('name-characters', ['read file'], where)).toMatchObject([
      { severity: 'warning', clients: ['claude-desktop', 'gemini', 'cursor'] },
    ]);
  });

  it('says where only the beginning is wrong', () => {
    const where = clients('bedrock', 'gemini', 'windsurf');
    expect(messages('name-characters', ['9lives', '_x'], where)).toEqual([
      '9lives: Begins with "9", which some clients do not accept.',
      '_x: Begins with "_", which some clients do not accept.',
    ]);
    expect(findings('name-characters', ['_x'], where)[0]?.clients).toEqual(['bedrock']);
  });

  it.each([
    ['größe lesen', 'Use letters, digits and underscores, beginning with a letter.'],
    ['読む', 'Use letters, digits and underscores, beginning with a letter.'],
    ['9 lives', 'Use letters, digits and underscores, beginning with a letter.'],
    ['!', 'Use letters, digits and underscores, beginning with a letter.'],
    [`a ${'x'.repeat(50)}`, 'Use letters, digits and underscores, beginning with a letter.'],
    ['Über uns', 'Call it uber_uns.'],
  ])('suggests a name for %s only if every client accepts it', (name, fix) => {
    expect(findings('name-characters', [name])[0]?.fix).toBe(fix);
  });
});

describe('name-length', () => {
  const where = clients('claude-code', 'cursor', 'vscode');

  it('names the clients for which the name is too long, and the lowest limit', () => {
    expect(findings('name-length', ['x'.repeat(49)], where)).toEqual([]);
    expect(findings('name-length', ['x'.repeat(51)], where)).toMatchObject([
      {
        severity: 'warning',
        message: 'Is 51 characters long; the strictest of these clients allows 49.',
        clients: ['claude-code', 'cursor'],
      },
    ]);
    expect(findings('name-length', ['x'.repeat(60)], where)).toMatchObject([
      { severity: 'warning', clients: ['claude-code', 'cursor', 'vscode'] },
    ]);
  });

  it.each([
    [128, 'warning'],
    [129, 'error'],
  ])('of %i characters is of severity %s: the specification allows 128', (length, severity) => {
    expect(findings('name-length', ['x'.repeat(length)], where)).toMatchObject([{ severity }]);
  });

  it('never has a limit below zero', () => {
    const options = { clients: clients('cursor'), key: 'k'.repeat(99) };
    expect(lintNames([{ name: 'a' }], options)).toMatchObject([
      { message: 'Is 1 characters long; the strictest of these clients allows 0.' },
    ]);
  });
});

describe('name-collision', () => {
  it('names all clients in which the same names become equal', () => {
    const where = clients('claude-code', 'windsurf', 'vscode', 'canonical');
    expect(findings('name-collision', ['a.b', 'a_b', 'c'], where)).toMatchObject([
      {
        severity: 'error',
        tool: 'a.b',
        message: 'Becomes the same name as a_b in Claude Code, VS Code.',
        clients: ['claude-code', 'vscode'],
      },
      { tool: 'a_b', message: 'Becomes the same name as a.b in Claude Code, VS Code.' },
    ]);
  });

  it('reports different groups of different clients separately', () => {
    const where = clients('claude-code', 'codex');
    expect(messages('name-collision', ['a.b', 'a_b', 'a-b'], where)).toEqual([
      'a-b: Becomes the same name as a.b, a_b in Codex.',
      'a.b: Becomes the same name as a-b, a_b in Codex.',
      'a.b: Becomes the same name as a_b in Claude Code.',
      'a_b: Becomes the same name as a-b, a.b in Codex.',
      'a_b: Becomes the same name as a.b in Claude Code.',
    ]);
  });

  it('replaces every character that a client refuses', () => {
    const where = clients('claude-code');
    expect(findings('name-collision', ['a.b.c', 'a_b_c'], where)).toHaveLength(2);
    expect(findings('name-collision', ['a.b.c', 'a_b'], where)).toEqual([]);
  });
});

describe('names that look alike', () => {
  it('differ in case, or else look alike: each pair is reported by one rule', () => {
    expect(messages('name-case', ['Read', 'read', 'write'])).toEqual([
      'Read: Differs from read only in upper and lower case.',
      'read: Differs from Read only in upper and lower case.',
    ]);
    expect(findings('name-confusable', ['Read', 'read'])).toEqual([]);
    expect(messages('name-confusable', ['read_all', 'read_a11'])).toEqual([
      'read_a11: Looks like read_all.',
      'read_all: Looks like read_a11.',
    ]);
    expect(findings('name-case', ['read_all', 'read_a11'])).toEqual([]);
  });

  it('are reported by both rules where a group has both', () => {
    expect(messages('name-confusable', ['All', 'all', 'a11'])).toContain(
      'a11: Looks like All, all.',
    );
    expect(messages('name-case', ['All', 'all', 'a11'])).toHaveLength(2);
  });

  it('mix letters of several scripts', () => {
    expect(findings('name-confusable', ['r\u0435ad', 'прочитать', 'read'])).toMatchObject([
      { message: 'Looks like r\u0435ad.', tool: 'read' },
      { message: 'Looks like read.', tool: 'r\u0435ad' },
      { message: 'Mixes letters of several scripts that look alike.', severity: 'warning' },
    ]);
  });

  it('are named up to three, and the rest is counted', () => {
    const names = ['a-b', 'a--b', 'a---b', 'a----b', 'a-----b', 'a------b'].toSorted();
    const [first, second, third, fourth] = names as [string, string, string, string];
    const found = new Map(
      findings('name-confusable', names).map((each) => [each.tool, each.message]),
    );
    expect(found.get(first)).toBe(`Looks like ${second}, ${third}, ${fourth} and 2 more.`);
    expect(found.get(names[5]!)).toBe(`Looks like ${first}, ${second}, ${third} and 2 more.`);
    const four = new Map(
      findings('name-confusable', names.slice(0, 4)).map((each) => [each.tool, each.message]),
    );
    expect(four.get(fourth)).toBe(`Looks like ${first}, ${second}, ${third}.`);
  });
});

it('name-invisible reports each name with invisible characters once', () => {
  expect(findings('name-invisible', ['a\u200bb', 'ab', 'a\u200bb'])).toMatchObject([
    { severity: 'error', tool: 'a\u200bb', message: 'Contains invisible characters.' },
  ]);
});
