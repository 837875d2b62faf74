import { describe, expect, it } from 'vitest';

import { createNameCheck, maxNameLength, type ClientProfile } from './client-profile.js';
import { profileById } from './client-profiles.js';
import { createOwnProfile, type OwnProfile } from './own-profile.js';

const profileOf = (own: OwnProfile, id = 'mine'): ClientProfile => {
  const checked = createOwnProfile(id, own);
  if (!checked.ok) throw new Error(checked.problems.map(({ message }) => message).join());
  return checked.profile;
};
const problemsOf = (own: OwnProfile, id = 'mine') => {
  const checked = createOwnProfile(id, own);
  return checked.ok ? [] : checked.problems;
};

describe('a profile of the configuration', () => {
  it.each(['portable', 'vscode', 'claude-desktop'] as const)(
    'without rules of its own has those of %s, and its own name',
    (like) => {
      const { former: _, ...base } = profileById(like);
      expect(profileOf({ like })).toStrictEqual({ ...base, id: 'mine', label: 'mine' });
    },
  );

  it('is like "portable" unless it says otherwise', () => {
    expect(profileOf({})).toEqual(profileOf({ like: 'portable' }));
  });

  it.each<[OwnProfile, string, number]>([
    // Its own limit is a limit without a prefix, unless it names one.
    [{ maxLength: 40 }, 'callsign', 40],
    [{ maxLength: 40, prefix: '{key}/' }, 'callsign', 31],
    [{ prefix: '{key}/' }, 'callsign', 55],
    [{ prefix: '' }, 'callsign', 64],
    // VS Code cuts its own prefix, but not another one.
    [{ like: 'vscode' }, 'k'.repeat(30), 46],
    [{ like: 'vscode', prefix: 'mcp_{key}_' }, 'k'.repeat(30), 29],
  ])('%j leaves, under the key %s, %i characters for names', (own, key, length) => {
    expect(maxNameLength(profileOf(own), key)).toBe(length);
  });

  it.each<[OwnProfile, string, string[]]>([
    [{}, '9a', ['first-character']],
    [{ like: 'gemini' }, '_a', []],
    [{ like: 'gemini', firstCharacters: 'a-z' }, '_a', ['first-character']],
    [{ characters: 'a-z0-9_' }, '9a', []],
    [{ characters: 'a-z0-9_' }, 'aB', ['characters']],
    [{ characters: 'a-z0-9_', firstCharacters: 'a-z' }, '9a', ['first-character']],
    [{ characters: 'a-z0-9_é' }, 'é-', ['characters']],
    [{ characters: 'a-z0-9_-' }, 'é-', ['characters']],
    [{ characters: 'a-z0-9_-' }, 'a-', []],
  ])('%j finds in %s the faults %j', (own, name, faults) => {
    expect(createNameCheck(profileOf(own))(name)).toEqual(faults);
  });

  it.each([true, false])('says whether its clients ask for lists only once: %s', (listsOnce) => {
    expect(profileOf({ listsOnce }).listsOnce).toBe(listsOnce);
  });
});

describe('the problems of a profile', () => {
  it('are all found at once, each with its field', () => {
    const own: OwnProfile = {
      like: 'canonical',
      characters: 'A-Z',
      firstCharacters: 'A-Z',
      maxLength: 3,
    };
    expect(problemsOf(own, 'My').map(({ field }) => field)).toEqual([
      undefined,
      'like',
      'characters',
      'firstCharacters',
      'maxLength',
    ]);
  });

  it.each(['a', '0', 'my.client_2-x'])('do not include the name %s', (id) => {
    expect(problemsOf({}, id)).toEqual([]);
  });

  it.each(['', '-a', '.a', 'mY', 'a b', 'a/b', 'a\n'])('include the name %j', (id) => {
    expect(problemsOf({}, id)).toMatchObject([
      { message: `"${id}" cannot be the name of a profile` },
    ]);
  });

  it.each([
    ['f-z0-9_', 'leaves out a b c d e'],
    ['g-z0-9_', 'leaves out a b c d e …'],
    ['', 'leaves out a b c d e …'],
  ])('name at most five characters that %j lacks', (characters, message) => {
    expect(problemsOf({ characters })).toMatchObject([{ field: 'characters', message }]);
  });

  it.each<[OwnProfile, string | undefined]>([
    [{ maxLength: 24 }, undefined],
    [{ maxLength: 23 }, 'use at least 24 plus the length of the key'],
    [{ maxLength: 31, prefix: 'mcp__{key}__' }, undefined],
    [{ maxLength: 30, prefix: 'mcp__{key}__' }, 'use at least 31 plus the length of the key'],
  ])('of %j say how long names must be: %s', (own, advice) => {
    expect(problemsOf(own)[0]?.advice).toBe(advice);
  });
});
