import { describe, expect, it } from 'vitest';

import { createNameCheck, maxNameLength, notOneOf, lengthLeft } from './client-profile.js';
import { profileById } from './client-profiles.js';

const SMALL = {
  ...profileById('spec'),
  label: 'Small',
  maxLength: 40,
  clientPrefix: 'mcp__{key}__',
  characters: 'abc]^-\\_',
  firstCharacters: 'abc',
};

describe('the space for a name', () => {
  it('is what the client’s prefix leaves', () => {
    expect(lengthLeft(SMALL, 'callsign')).toBe(25);
    expect(maxNameLength(SMALL)).toBe(25);
    expect(maxNameLength(SMALL, 'callsign1')).toBe(24);
    expect(maxNameLength(SMALL, '$&')).toBe(31);
  });

  it('is bounded where the client cuts its prefix', () => {
    expect(lengthLeft({ ...SMALL, clientPrefixMax: 10 }, 'callsign')).toBe(30);
    expect(lengthLeft({ ...SMALL, clientPrefixMax: 20 }, 'callsign')).toBe(25);
  });

  it('is an error that says how much is left, if it is too small', () => {
    expect(() => maxNameLength(SMALL, 'callsign12')).toThrow(
      'The key "callsign12" leaves only 23 characters for tool names in Small; ' +
        'register Callsign there under a shorter key.',
    );
    expect(() => maxNameLength(SMALL, 'x'.repeat(99))).toThrow('leaves only 0 characters');
  });
});

describe('the check of a name', () => {
  const faults = createNameCheck(SMALL, 6);

  it.each([
    ['', ['empty']],
    ['abc', []],
    ['a]^-\\_', []],
    ['abx', ['characters']],
    ['_ab', ['first-character']],
    ['abcabc', []],
    ['abcabca', ['length']],
    ['xabcabc', ['characters', 'first-character', 'length']],
  ])('of %j finds %j', (name, expected) => {
    expect(faults(name)).toEqual(expected);
  });

  it('allows every character that the client accepts', () => {
    expect(createNameCheck({ ...SMALL, characters: null }, 6)('aé😀')).toEqual([]);
  });
});

it('writes a pattern for the characters outside a set', () => {
  const outside = new RegExp(notOneOf('a-z]^\\'));
  expect(['a', '-', 'z', ']', '^', '\\', 'b'].map((each) => outside.test(each))).toEqual([
    false,
    false,
    false,
    false,
    false,
    false,
    true,
  ]);
});
