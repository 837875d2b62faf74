import { describe, expect, it } from 'vitest';

import { sameServer } from './server-config.js';
import { configOf, serverOf } from './testing/problems-of.js';

const BASE = '{"command": "x", "args": ["a", "b"], "env": {"A": "1", "B": "2"}}';

describe('a reload keeps a server', () => {
  it.each([
    ['that did not change', BASE],
    ['whose fields moved', '{"env": {"B": "2", "A": "1"}, "args": ["a", "b"], "command": "x"}'],
    ['whose client changed its own fields', BASE.replace('}}', '}, "timeout": 5}')],
    ['whose variables say the same', BASE.replace('"x"', '"${X}"')],
  ])('%s', (_, entry) => {
    expect(sameServer(serverOf(BASE), serverOf(entry, { X: 'x' }))).toBe(true);
  });

  it.each([
    ['command', BASE.replace('"x"', '"y"')],
    ['arguments', BASE.replace('"a", "b"', '"b", "a"')],
    ['environment', BASE.replace('"2"', '"3"')],
    ['folder', BASE.replace('}}', '}, "cwd": "/"}')],
    ['kind', '{"url": "https://x"}'],
  ])('but not one whose %s changed', (_, entry) => {
    expect(sameServer(serverOf(BASE), serverOf(entry))).toBe(false);
  });

  it('whose labels or timeouts changed', () => {
    const labelled = (settings: string) =>
      configOf(`{"mcpServers": {"s": ${BASE}}, "callsign": {"servers": {"s": ${settings}}}}`)
        .servers[0]!;
    const said =
      '{"displayName": "S", "trust": "full", "assume": "READ_ONLY_DEFAULT", "startTimeoutMs": 5, "callTimeoutMs": 5}';
    expect(sameServer(labelled('{}'), labelled(said))).toBe(true);
    expect(sameServer(labelled('{}'), labelled('{"inheritEnv": true}'))).toBe(false);
    expect(sameServer(labelled('{}'), labelled('{"era": "session"}'))).toBe(false);
  });

  it('but not one whose variable, transport or key changed', () => {
    const remote = (fields: string, key = 's') =>
      configOf(`{"mcpServers": {"${key}": {"url": "https://$H"${fields}}}}`, { H: 'h' })
        .servers[0]!;
    const before = remote('');
    expect(sameServer(before, remote(''))).toBe(true);
    expect(sameServer(before, remote(', "type": "sse"'))).toBe(false);
    expect(sameServer(before, remote('', 't'))).toBe(false);
    expect(sameServer(before, serverOf('{"url": "https://$H"}', { H: 'other' }))).toBe(false);
  });
});
