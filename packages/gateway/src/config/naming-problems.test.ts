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

  it('is judged by the naming rules, every fault at once', () => {
    expect(problems('{"pattern": "{server}_{tol}"}')).toEqual([
      '1:104 callsign.pattern: {tol} is unknown. → Use {server}, {tool}.',
      '1:104 callsign.pattern: {tool} is missing, so different tools would share a name. → Add {tool}.',
    ]);
  });

  it('is held against the characters of a fixed profile', () => {
    expect(problems('{"pattern": "{server}:{tool}", "profile": "openai"}')).toEqual([
      '1:104 callsign.pattern: ":" is not allowed in names here. → ' +
        'Use letters, digits or underscores; "__" is the usual separator.',
    ]);
    expect(settings('{"pattern": "{server}:{tool}", "profile": "canonical"}').profile).toBe(
      'canonical',
    );
  });
});

describe('the client key', () => {
  it('must leave room for names under the profile, or under every one', () => {
    const clientKey = 'the-one-gateway-of-our-whole-company';
    expect(problems(JSON.stringify({ clientKey }))).toEqual([
      `1:105 callsign.clientKey: is too long → The key "${clientKey}" leaves only 21 characters for ` +
        'tool names in Codex; register Callsign there under a shorter key.',
    ]);
    expect(settings(JSON.stringify({ clientKey, profile: 'claude-desktop' }))).toMatchObject({
      clientKey,
    });
  });
});
