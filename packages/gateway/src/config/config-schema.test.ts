import { Ajv } from 'ajv';
import { parse } from 'jsonc-parser';
import { describe, expect, it } from 'vitest';

import { configSchema } from './config-schema.js';
import { parseConfig } from './parse-config.js';
import { CLIENT_FILES } from './testing/client-files.js';
import { configOf, fileWith, fileWithSettings } from './testing/problems-of.js';

const FILE = '../../schema/callsign.schema.json';
const isValid = new Ajv({ strict: false }).compile(configSchema());

describe('the schema for editors', () => {
  it('is checked in as it is generated; vitest -u writes it again', async () => {
    await expect(`${JSON.stringify(configSchema(), null, 2)}\n`).toMatchFileSnapshot(FILE);
  });

  it('explains every setting, and shows how each is written', () => {
    const settings = (configSchema() as unknown as { properties: { callsign: Shape } }).properties
      .callsign;
    const silent = [...leaves('callsign', settings)].filter(
      ([, shape]) =>
        shape.description === undefined || (shape.examples ?? shape.enum) === undefined,
    );
    expect(silent.map(([path]) => path)).toEqual([]);
  });
});

describe('schema and loader agree', () => {
  it.each([
    ...Object.entries(CLIENT_FILES),
    [
      'a command',
      fileWith('{"command": "x", "args": ["a"], "env": {"A": "b", "N": 1}, "cwd": "/"}'),
    ],
    ['an address', fileWith('{"url": "https://x", "type": "sse", "headers": {"A": "b"}}')],
    ['a server that is off', fileWith('{"disabled": true}')],
    ['fields of a client', fileWith('{"command": "x", "whatever": {"a": 1}}')],
    ['empty settings', fileWithSettings('{}')],
    [
      'settings of a server',
      fileWithSettings('{"servers": {"github": {"assume": {}, "inheritEnv": ["A"]}}}'),
    ],
    [
      'annotations',
      fileWithSettings('{"annotations": {"*": {"preset": "WRITE_ADDITIVE", "title": "T"}}}'),
    ],
    [
      'a profile of one’s own',
      fileWithSettings('{"profile": "mine", "profiles": {"mine": {"like": "openai"}}}'),
    ],
    [
      'an endpoint',
      fileWithSettings('{"http": {"port": 0, "allowedOrigins": ["http://localhost:1"]}}'),
    ],
  ])('that this is right: %s', (_, text) => {
    expect(isValid(parse(text)), JSON.stringify(isValid.errors)).toBe(true);
    expect(() => configOf(text, ENOUGH)).not.toThrow();
  });

  it.each([
    '[]',
    '{}',
    '{"callsign": {}}',
    '{"mcpServers": []}',
    fileWith('5'),
    fileWith('{}'),
    fileWith('{"command": 5}'),
    fileWith('{"command": ""}'),
    fileWith('{"command": {"args": []}}'),
    fileWith('{"command": "x", "url": "https://x"}'),
    fileWith('{"command": "x", "type": "http"}'),
    fileWith('{"url": "https://x", "type": "stdio"}'),
    fileWith('{"url": "https://x", "type": "x"}'),
    fileWith('{"command": "x", "args": [1]}'),
    fileWith('{"command": "x", "env": {"A": {}}}'),
    fileWith('{"url": "https://x", "headers": []}'),
    fileWithSettings('[]'),
    fileWithSettings('{"unknown": 1}'),
    fileWithSettings('{"profile": "x"}'),
    fileWithSettings('{"profile": 1, "profiles": {"x": {}}}'),
    fileWithSettings('{"profiles": {"x": {"maxLength": "64"}}}'),
    fileWithSettings('{"profiles": {"x": {"like": "identity"}}}'),
    fileWithSettings('{"titles": 1}'),
    fileWithSettings('{"pattern": ""}'),
    fileWithSettings('{"aliases": {"a": 1}}'),
    fileWithSettings('{"tools": {"allow": "x"}}'),
    fileWithSettings('{"listWaitMs": 0.5}'),
    fileWithSettings('{"listWaitMs": 99999999999}'),
    fileWithSettings('{"http": {"port": 65536}}'),
    fileWithSettings('{"http": {"allowedHosts": ["a/b"]}}'),
    fileWithSettings('{"restart": {"giveUpAfter": -1}}'),
    fileWithSettings('{"limits": {"maxPendingPerServer": 0}}'),
    fileWithSettings('{"annotations": {"*": {"readOnlyHint": "yes"}}}'),
    fileWithSettings('{"servers": {"github": {"trust": "x"}}}'),
    fileWithSettings('{"servers": {"github": {"assume": "x"}}}'),
    fileWithSettings('{"servers": {"github": {"assume": {"x": true}}}}'),
    fileWithSettings('{"servers": {"github": {"inheritEnv": [1]}}}'),
    fileWithSettings('{"servers": {"github": {"x": 1}}}'),
  ])('that this is wrong: %s', (text) => {
    expect(isValid(parse(text))).toBe(false);
    expect(parseConfig(text, { file: 'f', env: {} }).ok).toBe(false);
  });
});

/** The variables of every client's file. */
const ENOUGH = { DSN: 'x', SENTRY_TOKEN: 'x', TICKETS_KEY: 'x', FIGMA_KEY: 'x', GIT_SERVER: 'x' };

interface Shape {
  readonly description?: string;
  readonly examples?: readonly unknown[];
  readonly enum?: readonly unknown[];
  readonly properties?: Readonly<Record<string, Shape>>;
  readonly additionalProperties?: Shape | false;
}

/** All parts of the schema that a person may write. */
function* leaves(path: string, shape: Shape): Generator<[string, Shape]> {
  for (const [key, child] of Object.entries(shape.properties ?? {})) {
    yield [`${path}.${key}`, child];
    yield* leaves(`${path}.${key}`, child);
  }
  if (shape.additionalProperties) yield* leaves(`${path}.*`, shape.additionalProperties);
}
