import { describe, expect, it } from 'vitest';

import { createOwnProfile, type OwnProfile } from './own-profile.js';
import { createProfileSet } from './profile-set.js';
import { createToolRenderer } from '../render/renderer.js';

const nameIn = (own: OwnProfile, server: string, tool: string): string => {
  const checked = createOwnProfile('mine', own);
  if (!checked.ok) throw new Error(checked.problems.map(({ message }) => message).join());
  return createToolRenderer({ profile: checked.profile })({ server, tool }).name;
};
const problems = (own: OwnProfile, id = 'mine') => {
  const checked = createOwnProfile(id, own);
  return checked.ok ? [] : checked.problems.map(({ field, message }) => `${field}: ${message}`);
};

describe('a profile in the configuration', () => {
  it('takes missing fields from portable', () => {
    expect(nameIn({}, 'a-b', 'c')).toBe('a_b__c_h');
  });

  it('accepts characters in the notation of regular expressions', () => {
    expect(nameIn({ characters: 'a-zA-Z0-9_-' }, 'a-b', 'c.d')).toBe('a-b__c_d_d');
    expect(nameIn({ characters: '-.a-z0-9_' }, 'a-b', 'c.d')).toBe('a-b__c.d');
    expect(nameIn({ characters: 'a-z0-9_' }, 'a', 'readFile')).toMatch(/^a__read_ile_\w{10}$/);
  });

  it('has a length, a prefix and a first character of its own', () => {
    expect(nameIn({ maxLength: 30 }, 'a', 't'.repeat(40))).toHaveLength(30);
    expect(nameIn({ maxLength: 50, prefix: '{key}/' }, 'a', 't'.repeat(60))).toHaveLength(41);
    expect(nameIn({ firstCharacters: 'a-z' }, 'A', 't')).toMatch(/^xA__t_\w{10}$/);
  });

  it('can start from another profile', () => {
    expect(nameIn({ like: 'spec' }, 'a.b', 'c-d')).toBe('a.b__c-d');
    expect(nameIn({ like: 'cursor' }, 'a', 't'.repeat(80))).toHaveLength(50);
  });

  it.each([
    [{ characters: 'A-Z' }, 'mine', 'characters: leaves out a b c d e …'],
    [{ characters: 'a-z0-9' }, 'mine', 'characters: leaves out _'],
    [{ firstCharacters: 'A-Z' }, 'mine', 'firstCharacters: leaves out lower-case letters'],
    [{ maxLength: 23 }, 'mine', 'maxLength: leaves fewer than 24 characters for names'],
    [
      { like: 'identity' as const },
      'mine',
      'like: cannot be "identity", which has no limits for names',
    ],
    [{}, 'portable', 'undefined: "portable" is a built-in profile and cannot be changed'],
    [{}, 'auto', 'undefined: "auto" is a built-in profile and cannot be changed'],
    [{}, 'My client', 'undefined: "My client" cannot be the name of a profile'],
    [{}, '__proto__', 'undefined: "__proto__" cannot be the name of a profile'],
  ])('with %j as %s has a problem', (own, id, problem) => {
    expect(problems(own, id)).toEqual([problem]);
  });
});

describe('the profiles of a gateway', () => {
  const profiles = createProfileSet({
    own: { mine: { clients: ['My Client', 'cursor'] }, portable: { maxLength: 30 } },
    clientKey: 'gw',
  });

  it('are the built-in ones and those of the configuration', () => {
    expect(profiles.ids.slice(-2)).toEqual(['identity', 'mine']);
    expect(profiles.get('mine')?.id).toBe('mine');
    expect(profiles.get('toString')).toBeUndefined();
    expect(profiles.get('portable')?.maxLength).toBe(64);
  });

  it.each([
    ['my-client', 'mine'],
    ['My Client (via mcp-remote 0.1)', 'mine'],
    ['my clients', 'canonical'],
    ['cursor-vscode', 'mine'],
    ['claude-ai', 'claude-desktop'],
  ])('give %s the profile %s', (name, id) => {
    expect(profiles.forClient({ name }).id).toBe(id);
  });

  it('know OpenAI Agents by our own key', () => {
    expect(profiles.forClient({ name: 'gw', version: '1.0.0' }).id).toBe('portable');
    expect(profiles.forClient({ name: 'gw', version: '0.1.0' }).id).toBe('canonical');
    expect(profiles.forClient({ name: 'other', version: '1.0.0' }).id).toBe('canonical');
  });

  it.each([
    [{ name: 'gw', version: '1.0.0' }, true],
    [{ name: 'gw', version: '0.1.0' }, false],
    [{ name: 'langchain' }, true],
    [{ name: 'claude-code' }, false],
    [{ name: 'my-client' }, false],
    [{ name: 'eager' }, true],
    // The configuration comes first.
    [{ name: 'mastra' }, false],
    [undefined, false],
  ])('know whether %j asks for lists only once: %s', (client, expected) => {
    const set = createProfileSet({
      own: {
        mine: { clients: ['my-client'] },
        eager: { clients: ['eager'], listsOnce: true },
        patient: { clients: ['mastra'], listsOnce: false },
      },
      clientKey: 'gw',
    });
    expect(set.listsOnce(client)).toBe(expected);
  });

  it('do not take a client for OpenAI Agents where our key is unknown', () => {
    expect(createProfileSet().forClient({ version: '1.0.0' }).id).toBe('canonical');
  });

  it('ignore invalid values', () => {
    expect(profiles.forClient(undefined).id).toBe('canonical');
    expect(profiles.forClient({ name: 1 } as never).id).toBe('canonical');
  });
});
