import fc from 'fast-check';
import { describe, expect, it } from 'vitest';

import { canonicalName, parseCanonicalName, serverKeyProblem } from './tool-ref.js';

describe('the canonical name', () => {
  it('joins server and tool with a colon', () => {
    expect(canonicalName({ server: 'filesystem', tool: 'read_file' })).toBe('filesystem:read_file');
  });

  it('splits on the first colon, so a tool’s name may contain colons', () => {
    expect(parseCanonicalName('server:tool:subcommand')).toEqual({
      ok: true,
      ref: { server: 'server', tool: 'tool:subcommand' },
    });
  });

  it('keeps upper and lower case', () => {
    expect(parseCanonicalName('MyDB:Query')).toMatchObject({
      ref: { server: 'MyDB', tool: 'Query' },
    });
  });

  it.each([
    ['read_file', 'missing-prefix', 'Tool name must be prefixed with server key: read_file'],
    ['', 'missing-prefix', 'Tool name must be prefixed with server key: '],
    [':read_file', 'malformed', 'Invalid tool name format: :read_file'],
    ['server:', 'malformed', 'Invalid tool name format: server:'],
    [':', 'malformed', 'Invalid tool name format: :'],
  ])('refuses %j with the convention’s sentence', (text, kind, message) => {
    expect(parseCanonicalName(text)).toMatchObject({ ok: false, error: { kind, message } });
  });

  it('is the inverse of parsing for every valid identity', () => {
    const key = fc.string({ unit: 'grapheme', minLength: 1 }).filter((k) => !serverKeyProblem(k));
    const tool = fc.string({ unit: 'binary', minLength: 1 });
    fc.assert(
      fc.property(key, tool, (server, name) => {
        const ref = { server, tool: name };
        expect(parseCanonicalName(canonicalName(ref))).toEqual({ ok: true, ref });
      }),
    );
  });
});

describe('a server key', () => {
  it.each(['filesystem', 'my-db-server', 'tool_v2', 'Ünïcode', '__proto__', 'with space'])(
    'may be %j',
    (key) => {
      expect(serverKeyProblem(key)).toBeUndefined();
    },
  );

  it.each([
    ['', 'must not be empty'],
    ['a:b', 'write "a-b"'],
    ['a\nb', 'control character'],
    ['a\u0000', 'control character'],
  ])('%j is refused with advice', (key, advice) => {
    expect(serverKeyProblem(key)).toContain(advice);
  });
});
