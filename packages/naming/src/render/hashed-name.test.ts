import { describe, expect, it } from 'vitest';

import { fingerprintMark } from '../identity/fingerprint.js';
import { canonicalName } from '../identity/tool-ref.js';
import { namePattern } from '../pattern/pattern.js';
import { TOOL_SCOPE } from '../pattern/pattern-scope.js';
import { profileById } from '../profile/client-profiles.js';
import { createToolRenderer } from './renderer.js';

/** The readable part of a hashed name. The rest must be the fingerprint of the identity. */
const stemOf = (id: string, server: string, tool: string, text?: string): string => {
  const pattern = text === undefined ? {} : { pattern: namePattern(text, { scope: TOOL_SCOPE }) };
  const render = createToolRenderer({ profile: profileById(id), ...pattern });
  const { name, form } = render({ server, tool });
  expect(form).toBe('hashed');
  const mark = fingerprintMark(canonicalName({ server, tool }));
  expect(name.endsWith(mark)).toBe(true);
  return name.slice(0, -mark.length);
};

describe('the readable part of a hashed name', () => {
  it.each([
    ['my  server', 'read // file', 'my_server__read_file'],
    ['(a)', '_b c_', 'a__b_c'],
    ['😀', '!!', 'x__x'],
    ['a b', '___', 'a_b__x'],
  ])('of %s:%s has one underscore for what is not allowed, and none at the ends', (...given) => {
    const [server, tool, stem] = given;
    expect(stemOf('claude-desktop', server, tool)).toBe(stem);
  });

  it.each([
    // 64 characters without the mark and the separator: 51.
    ['k'.repeat(40), 't'.repeat(40), 25, 26],
    ['k'.repeat(5), 't'.repeat(90), 5, 46],
    ['k'.repeat(90), 't'.repeat(5), 46, 5],
    ['k'.repeat(26), 't'.repeat(60), 25, 26],
    ['k'.repeat(25), 't'.repeat(60), 25, 26],
    ['k'.repeat(24), 't'.repeat(60), 24, 27],
  ])('of %s:%s gives each part its share: %i and %i', (server, tool, first, second) => {
    expect(stemOf('claude-desktop', server, tool)).toBe(
      `${server.slice(0, first)}__${tool.slice(0, second)}`,
    );
  });

  it('has no underscore where a part was cut', () => {
    const tool = `${'t'.repeat(44)}__${'u'.repeat(40)}`;
    expect(stemOf('claude-desktop', 'short', tool)).toBe(`short__${'t'.repeat(44)}`);
  });

  it('begins with a letter where the client asks for one', () => {
    expect(stemOf('bedrock', '9gag', 'post')).toBe('x9gag__post');
    expect(stemOf('bedrock', 'a b', 'post')).toBe('a_b__post');
  });

  it('contains the pattern’s own text, with allowed characters only', () => {
    expect(stemOf('cursor', 'a b', 'c', 'my.{server}--{tool}!')).toBe('my_a_b_c_');
  });
});
