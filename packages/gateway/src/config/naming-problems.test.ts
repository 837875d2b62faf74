import { describe, expect, it } from 'vitest';

import { configOf, fileWithSettings, linesOf, problemsOf } from './testing/problems-of.js';

const problems = (text: string) => linesOf(problemsOf(fileWithSettings(text)));
const settings = (text: string) => configOf(fileWithSettings(text)).settings;

describe('a pattern', () => {
  it.each(['{server}:{tool}', '{tool}_of_{server}', 'x_{server}.{tool}'])(
    'may be %s',
    (pattern) => {
      expect(settings(JSON.stringify({ pattern }))).toMatchObject({ pattern });
    },
  );

  it('is checked by the naming rules, all faults at once', () => {
    expect(problems('{"pattern": "{server}_{tol}"}')).toEqual([
      '1:104 callsign.pattern: {tol} is unknown. → Use {server}, {tool}.',
      '1:104 callsign.pattern: {tool} is missing, so different tools would share a name. → Add {tool}.',
    ]);
  });

  it('is checked against the characters of a fixed profile', () => {
    expect(problems('{"pattern": "{server}:{tool}", "profile": "openai"}')).toEqual([
      '1:104 callsign.pattern: ":" is not allowed in names here. → ' +
        'Use letters, digits or underscores; "__" is the usual separator.',
    ]);
    expect(settings('{"pattern": "{server}:{tool}", "profile": "canonical"}').profile).toBe(
      'canonical',
    );
  });
});

describe('a profile in the configuration', () => {
  const mine = { like: 'openai', maxLength: 40, clients: ['my-client'] };

  it('is used as written', () => {
    const read = settings(JSON.stringify({ profile: 'mine', profiles: { mine } }));
    expect(read).toMatchObject({ profile: 'mine', profiles: { mine } });
  });

  it('is checked by the naming rules', () => {
    const profiles = {
      portable: {},
      'My Client': {},
      mine: { characters: 'a-z', firstCharacters: 'A-Z', maxLength: 9 },
    };
    expect(problems(JSON.stringify({ profiles }))).toEqual([
      '1:105 callsign.profiles.portable: "portable" is a built-in profile and cannot be changed → ' +
        'give yours another name, and write "like": "portable" to start from it',
      '1:119 callsign.profiles["My Client"]: "My Client" cannot be the name of a profile → ' +
        'use lower-case letters, digits, "-", "_" and ".", as it is part of an address',
      '1:155 callsign.profiles.mine.characters: leaves out 0 1 2 3 4 … → ' +
        'include at least a-z0-9_, because marks need them',
      '1:179 callsign.profiles.mine.firstCharacters: leaves out lower-case letters → include at least a-z',
      '1:197 callsign.profiles.mine.maxLength: leaves fewer than 24 characters for names → ' +
        'use at least 24 plus the length of the key',
    ]);
  });

  it('has known fields of the right types', () => {
    expect(problems('{"profiles": {"mine": {"like": "crusor", "length": 3}}}')).toHaveLength(2);
    expect(problems('{"profiles": {"mine": 3}}')).toHaveLength(1);
    expect(problems('{"profiles": []}')).toHaveLength(1);
  });

  it('is suggested for an unknown profile', () => {
    expect(problems(JSON.stringify({ profile: 'mien', profiles: { mien2: mine } }))).toEqual([
      '1:103 callsign.profile: is not a known profile → did you mean "mien2"?',
    ]);
    expect(problems('{"profile": "crusor"}')).toEqual([
      '1:104 callsign.profile: is not a known profile → did you mean "cursor"?',
    ]);
  });
});

describe('the client key', () => {
  it('must leave space for names under the profile, or under all profiles', () => {
    const clientKey = 'the-one-gateway-of-our-whole-company';
    expect(problems(JSON.stringify({ clientKey }))).toEqual([
      `1:105 callsign.clientKey: is too long → The key "${clientKey}" leaves only 21 characters for ` +
        'tool names in every known client; register Callsign there under a shorter key.',
    ]);
    expect(settings(JSON.stringify({ clientKey, profile: 'claude-desktop' }))).toMatchObject({
      clientKey,
    });
  });
});
