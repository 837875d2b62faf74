import { describe, expect, it } from 'vitest';

import { COMMANDS } from '../run/command-table.js';
import { commandName, copyable } from './copyable.js';

const given = (text: string, file = '/a/b.json') => copyable(text, { file, origin: 'flag' });

describe('commands in a text', () => {
  it.each([
    ['To see why: callsign doctor', 'To see why: callsign --config /a/b.json doctor'],
    [
      'Next: callsign doctor, then callsign audit list.',
      'Next: callsign --config /a/b.json doctor, then callsign --config /a/b.json audit list.',
    ],
    [
      'callsign add x -- callsign adapter serve f',
      'callsign --config /a/b.json add x -- callsign adapter serve f',
    ],
  ])('get the configuration of the command line: %s', (text, expected) => {
    expect(given(text)).toBe(expected);
  });

  it.each([
    'See: callsign audit list --help',
    'See: callsign --help',
    'callsign serve --config /other.json --http 1',
    'Set callsign.lock to "enforce".',
    'Server "callsign" is down; /usr/bin/callsign serve runs.',
    'memory:delete_entities from callsign waits for an approval.',
    'Callsign listens on http://127.0.0.1:1/mcp',
  ])('and nothing else does: %s', (text) => {
    expect(given(text)).toBe(text);
  });

  it('have it in quotes where a shell needs them', () => {
    expect(given('callsign doctor', "/it's mine/$x.json")).toBe(
      `callsign --config '/it'\\''s mine/$x.json' doctor`,
    );
  });

  it('are those of every command', () => {
    const names = COMMANDS.map(({ name }) => name).filter((name) => /^[a-z]/.test(name));
    expect(names.length).toBeGreaterThan(50);
    for (const name of names) {
      expect(given(`To see: callsign ${name} X`)).toBe(
        `To see: callsign --config /a/b.json ${name} X`,
      );
      expect(copyable(`callsign ${name}`, undefined, 'npx callsign')).toBe(`npx callsign ${name}`);
    }
  });

  it('are not a client that has the name of the gateway', () => {
    const text = 'memory:delete_entities from callsign waits for an approval.';
    expect(copyable(`${text} callsign status`, undefined, 'npx callsign')).toBe(
      `${text} npx callsign status`,
    );
  });

  it.each(['folder', 'user'] as const)('stay as they are if the %s chose it', (origin) => {
    expect(copyable('callsign doctor', { file: '/a/b.json', origin })).toBe('callsign doctor');
  });

  it('are started with npx where the PATH has no such program (M17)', () => {
    const script = '/clone/node_modules/mcp-callsign/bin/callsign.cjs';
    const PATH = '/clone/node_modules/.bin:/nowhere';
    const name = commandName({ env: { PATH, npm_command: 'exec' }, script });
    expect(name).toBe('npx callsign');
    expect(commandName({ env: { PATH }, script })).toBe('callsign');
    const cached = '/h/.npm/_npx/1/node_modules/mcp-callsign/bin/callsign.cjs';
    expect(commandName({ env: { npm_command: 'exec' }, script: cached })).toBe('npx mcp-callsign');
    const place = { file: '/a/b.json', origin: 'flag' } as const;
    expect(copyable('Next: callsign doctor. See: callsign --help', place, name)).toBe(
      'Next: npx callsign --config /a/b.json doctor. See: npx callsign --help',
    );
    expect(copyable('callsign add x -- callsign adapter serve f', undefined, name)).toBe(
      'npx callsign add x -- callsign adapter serve f',
    );
  });
});
