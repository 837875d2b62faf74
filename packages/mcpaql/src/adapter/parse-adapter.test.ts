import { mkdtemp, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';

import { describe, expect, it, onTestFinished } from 'vitest';
import { stringify } from 'yaml';

import { documentOf } from '../../../../test/adapters/adapters.js';
import { harbourAdapter } from '../../../../test/adapters/harbour.js';
import { type AdapterResult, loadAdapter, parseAdapter } from './parse-adapter.js';
import { removeFolder } from '../../../../test/testing/remove-folder.js';

const FRONT_MATTER = `---
name: apple-mail
type: adapter
version: "1.0.0"
description: Letters of a mailbox
target: { transport: http, base_url: "https://mail.example/api" }
operations:
  read:
    - name: list_letters
      maps_to: GET /letters
---
# Apple Mail

--- is no fence here
`;

const problemsOf = (text: string, file = 'a.md') => {
  const result = parseAdapter(text, file);
  return result.ok ? [] : result.problems;
};

/** The problems of a document with changed keys, as `code path`. */
const faultsOf = (changes: Record<string, unknown>) => {
  const result = parseAdapter(JSON.stringify(documentOf(changes)), 'a.json');
  return result.ok ? [] : result.problems.map(({ code, path }) => `${code} ${path}`);
};

const read = (operation: Record<string, unknown>) => ({
  operations: { read: [{ name: 'get_letter', maps_to: 'GET /letters', ...operation }] },
});

describe('parseAdapter reads', () => {
  it('Markdown with front matter, YAML and JSON', () => {
    const fromMarkdown = parseAdapter(FRONT_MATTER, 'a.md');
    const [, yaml = ''] = FRONT_MATTER.split('---\n');
    const fromYaml = parseAdapter(yaml, 'a.yaml');
    const { written, adapter } = fromMarkdown as Extract<AdapterResult, { ok: true }>;
    const fromJson = parseAdapter(JSON.stringify(written, null, '\t'), 'a.json');
    expect(adapter).toMatchObject({ name: 'apple-mail', toolNames: { legacy: false } });
    expect(fromYaml).toEqual({ ok: true, written, adapter: { ...adapter, file: 'a.yaml' } });
    expect(fromJson).toEqual({ ok: true, written, adapter: { ...adapter, file: 'a.json' } });
  });

  it('a byte order mark, Windows line ends, and what it has parsed before', () => {
    expect(parseAdapter(`\ufeff${FRONT_MATTER}`, 'a.md').ok).toBe(true);
    expect(parseAdapter(FRONT_MATTER.replaceAll('\n', '\r\n'), 'a.md').ok).toBe(true);
    const once = parseAdapter(FRONT_MATTER, 'a.md');
    expect(once.ok && parseAdapter(stringify(once.written), 'a.yaml').ok).toBe(true);
  });

  it('every default', async () => {
    const { operations, trust } = await harbourAdapter();
    expect(trust).toBe('validated');
    expect(operations.get('list_ships')).toMatchObject({
      endpoint: 'read',
      idempotent: true,
      supportsFields: true,
      danger: { level: 'safe' },
      pagination: { style: 'offset', limit_param: 'limit', position_param: 'offset' },
      mapsTo: { kind: 'http', method: 'GET' },
    });
    expect(operations.get('update_booking')).toMatchObject({ idempotent: false });
    expect(operations.get('set_berth_length')).toMatchObject({ idempotent: true });
    expect(operations.get('open_sluice')).toMatchObject({ danger: { level: 'dangerous' } });
  });
});

describe('a name that is not in kebab case', () => {
  it.each([
    ['github_api', 'github-api'],
    ['GitHub API', 'github-api'],
    ['appleMail', 'apple-mail'],
    ['7', 'harbour-logbook'],
  ])('%s gets the advice to write %s (S10)', (written, meant) => {
    const [problem] = problemsOf(FRONT_MATTER.replace('apple-mail', `"${written}"`));
    expect(problem).toMatchObject({ path: 'name', advice: `write name: "${meant}"` });
  });
});

describe('a problem of a file', () => {
  it('is reported with all others, each with line, column, path and advice', () => {
    const text = FRONT_MATTER.replace('apple-mail', 'Apple Mail')
      .replace('"1.0.0"', '1.0')
      .replace('transport: http', 'transport: htp')
      .replace('maps_to', 'map_to');
    expect(problemsOf(text)).toEqual([
      {
        code: 'wrong-value',
        file: 'a.md',
        line: 2,
        column: 7,
        path: 'name',
        message: 'must be 2 to 64 of a-z, 0-9 and -, and start with a letter',
        advice: 'write name: "apple-mail"',
      },
      expect.objectContaining({ code: 'wrong-type', line: 4, column: 10, path: 'version' }),
      expect.objectContaining({
        path: 'target.transport',
        line: 6,
        advice: 'did you mean "http"?',
      }),
      expect.objectContaining({ code: 'missing-key', line: 9, path: 'operations.read[0].maps_to' }),
      expect.objectContaining({
        code: 'unknown-key',
        line: 10,
        column: 7,
        path: 'operations.read[0].map_to',
        advice: 'did you mean "maps_to"?',
      }),
    ]);
  });

  it.each([
    ['a.md', '# No front matter', 'front-matter', 0],
    ['a.yaml', '', 'wrong-type', 1],
    ['a.yaml', 'name: [', 'syntax', 1],
    ['a.yaml', 'a: 1\na: 2', 'duplicate-key', 2],
    ['a.yaml', 'a:\n\tb: 1', 'syntax', 2],
    ['a.yaml', 'a: 1\n---\nb: 2', 'syntax', 2],
    ['a.json', '{"x": {"__proto__": {"y": 1}}}', 'reserved-key', 1],
    ['a.yaml', `a: &a [x]\nb: ${'[*a, '.repeat(10)}*a${']'.repeat(10)}`, 'unknown-key', 1],
  ])('of %s %j is reported', (file, text, code, line) => {
    expect(problemsOf(text, file)).toContainEqual(expect.objectContaining({ code, line }));
  });

  it.each([
    ['read', 'delete'],
    ['delete', 'read'],
  ])('is at the second operation of a name, not at the first: %s, %s (B19)', (first, second) => {
    const operations = `operations:
  ${first}:
    - name: list_letters
      maps_to: GET /letters
  ${second}:
    - name: list_letters
      maps_to: GET /letters
`;
    const text = FRONT_MATTER.replace(/operations:[^]*?(?=---)/, operations);
    const line = text.split('\n').lastIndexOf('    - name: list_letters') + 1;
    const found = problemsOf(text).filter(({ code }) => code === 'duplicate-operation');
    expect(found).toMatchObject([{ path: `operations.${second}[0].name`, line }]);
    expect(found[0]!.message).toContain(`${first}[0]`);
  });

  it('can be endless nesting', () => {
    expect(problemsOf('['.repeat(20_000), 'a.json')).toMatchObject([{ code: 'too-deep' }]);
  });

  it('is reported together with problems of its readable meaning', () => {
    const text = FRONT_MATTER.replace('description:', 'descripton:').replace(
      'GET /letters',
      'GET /letters/{id}\n    - name: list_letters\n      maps_to: GET /x\n    - nam: broken',
    );
    expect(problemsOf(text).map(({ code, path }) => `${code} ${path}`)).toEqual([
      'missing-key description',
      'unknown-key descripton',
      'undeclared-param operations.read[0].maps_to',
      'duplicate-operation operations.read[1].name',
      'missing-key operations.read[2].name',
      'missing-key operations.read[2].maps_to',
      'unknown-key operations.read[2].nam',
    ]);
  });

  it('can be aliases that would fill the memory', () => {
    const levels = Array.from({ length: 12 }, (_, i) => {
      const inner =
        i === 0
          ? 'x'
          : Array(9)
              .fill(`*l${i - 1}`)
              .join(', ');
      return `l${i}: &l${i} [${inner}]`;
    });
    expect(problemsOf(levels.join('\n'), 'a.yaml')).toContainEqual(
      expect.objectContaining({ code: 'syntax', message: 'repeats itself by too many aliases' }),
    );
  });

  it.each<[string, Record<string, unknown>, string[]]>([
    [
      'a pattern without the brand',
      { tool_names: { pattern: '{adapter}_aql_{endpoint}' } },
      ['tool-names tool_names.pattern'],
    ],
    [
      'a pattern without the endpoint',
      { tool_names: { pattern: '{adapter}_mcpaql' } },
      ['tool-names tool_names.pattern'],
    ],
    [
      'a pattern with an unknown variable',
      { tool_names: { pattern: '{adapter}_mcpaql_{endpoint}_{x}' } },
      ['tool-names tool_names.pattern'],
    ],
    [
      'a pattern with a colon',
      { tool_names: { pattern: '{adapter}:mcpaql_{endpoint}' } },
      ['tool-names tool_names.pattern'],
    ],
    ['no operations', { operations: {} }, ['no-operations operations']],
    [
      'the same name twice',
      {
        operations: {
          read: [{ name: 'a', maps_to: 'GET /' }],
          create: [{ name: 'a', maps_to: 'POST /' }],
        },
      },
      ['duplicate-operation operations.create[0].name'],
    ],
    [
      'a name of the protocol',
      read({ name: 'introspect' }),
      ['reserved-operation operations.read[0].name'],
    ],
    [
      'a name in another case',
      read({ name: 'getLetter' }),
      ['wrong-value operations.read[0].name'],
    ],
    [
      'a mapping of another transport',
      read({ maps_to: 'tool:x' }),
      ['wrong-mapping operations.read[0].maps_to'],
    ],
    [
      'a method that is none',
      read({ maps_to: 'FETCH /x' }),
      ['wrong-mapping operations.read[0].maps_to'],
    ],
    [
      'a placeholder that nobody declares',
      read({ maps_to: 'GET /{id}' }),
      ['undeclared-param operations.read[0].maps_to'],
    ],
    [
      'a placeholder called like a property of objects',
      read({ maps_to: 'GET /{constructor}' }),
      ['undeclared-param operations.read[0].maps_to'],
    ],
    [
      'an optional placeholder',
      read({ maps_to: 'GET /{id}', params: { id: { type: 'string' } } }),
      ['contradiction operations.read[0].params.id'],
    ],
    [
      'a body for GET',
      read({ params: { x: { type: 'string', in: 'body' } } }),
      ['contradiction operations.read[0].params.x.in'],
    ],
    [
      'a header of ours',
      read({ params: { x: { type: 'string', in: 'header', as: 'Authorization' } } }),
      ['wrong-value operations.read[0].params.x.in'],
    ],
    [
      'a default of another type',
      read({ params: { x: { type: 'integer', default: 'a' } } }),
      ['wrong-default operations.read[0].params.x.default'],
    ],
    [
      'a default outside enum',
      read({ params: { x: { type: 'string', enum: ['a'], default: 'b' } } }),
      ['wrong-default operations.read[0].params.x.default'],
    ],
    [
      'a pattern that does not compile',
      read({ params: { x: { type: 'string', pattern: '(' } } }),
      ['wrong-pattern operations.read[0].params.x.pattern'],
    ],
    [
      'danger behind a harmless label',
      read({ danger_level: 'destructive' }),
      ['wrong-endpoint operations.read[0].danger_level'],
    ],
    [
      'a DELETE behind a harmless label (B4)',
      read({ maps_to: 'DELETE /ships' }),
      ['wrong-endpoint operations.read[0].maps_to'],
    ],
    [
      'a PUT behind a harmless label (B4)',
      read({ maps_to: 'PUT /ships' }),
      ['wrong-endpoint operations.read[0].maps_to'],
    ],
    [
      'a DELETE that is said to create (B4)',
      { operations: { create: [{ name: 'a', maps_to: 'DELETE /ships' }] } },
      ['wrong-endpoint operations.create[0].maps_to'],
    ],
    [
      'two levels of danger',
      {
        operations: {
          delete: [
            {
              name: 'a',
              maps_to: 'DELETE /',
              danger_level: 'dangerous',
              danger: { level: 'safe' },
            },
          ],
        },
      },
      ['contradiction operations.delete[0].danger_level'],
    ],
    [
      'plain HTTP to elsewhere',
      { target: { transport: 'http', base_url: 'http://mail.example' } },
      ['insecure-address target.base_url'],
    ],
    [
      'a password in the address',
      { target: { transport: 'http', base_url: 'https://a:b@mail.example' } },
      ['insecure-address target.base_url'],
    ],
    [
      'an API key that goes nowhere',
      { auth: { type: 'api_key', key_env: 'KEY' } },
      ['contradiction auth'],
    ],
    [
      'a secret instead of the name of a variable',
      { auth: { type: 'bearer', token_env: 'ghp-secret!' } },
      ['wrong-value auth.token_env'],
    ],
    ['a line break in a header', { headers: { 'X-A': 'a\nb' } }, ['wrong-value headers.X-A']],
    [
      'a limit for nobody',
      {
        rate_limits: {
          api_limits: [{ scope: 'operation', operation: 'x', limit: 1, window: 'day' }],
        },
      },
      ['wrong-value rate_limits.api_limits[0].operation'],
    ],
    [
      'a native target of nothing',
      {
        target: { transport: 'native' },
        operations: { read: [{ name: 'a', maps_to: 'function:a' }] },
      },
      ['contradiction target', 'wrong-mapping operations.read[0].maps_to'],
    ],
  ])('can be %s', (_, changes, expected) => {
    expect(faultsOf(changes)).toEqual(expected);
  });

  it.each([
    [
      'plain HTTP to this machine',
      { target: { transport: 'http', base_url: 'http://localhost:1/x' } },
    ],
    [
      'plain HTTP in a network of one’s own',
      { target: { transport: 'http', base_url: 'http://10.0.0.1', private_addresses: 'allowed' } },
    ],
    ['the bare pattern', { tool_names: { pattern: 'mcpaql_{endpoint}' } }],
    [
      'dates and words about itself',
      { author: 'me', tags: ['a'], triggers: ['b'], created: '2026-01-01', modified: '2026-01-02' },
    ],
  ])('is not %s', (_, changes) => {
    expect(faultsOf(changes)).toEqual([]);
  });
});

describe('a file', () => {
  it('that cannot be read is reported as a problem', async () => {
    const folder = await mkdtemp(join(tmpdir(), 'callsign-'));
    onTestFinished(() => removeFolder(folder));
    const latin = join(folder, 'a.yaml');
    await writeFile(latin, Buffer.from([0xff, 0xfe, 0x41]));
    const codes = async (file: string) => {
      const result = await loadAdapter(file);
      return result.ok ? [] : result.problems.map(({ code }) => code);
    };
    expect(await codes(join(folder, 'none.md'))).toEqual(['file-not-found']);
    expect(await codes(folder)).toEqual(['file-unreadable']);
    expect(await codes(latin)).toEqual(['file-not-utf8']);
  });

  it('N25: a fault in one key of an operation or a target does not hide a bad maps_to', () => {
    const text = JSON.stringify({
      name: 'two-faults',
      type: 'adapter',
      version: '1.0.0',
      description: 'Faults side by side',
      target: { transport: 'http', base_url: 5 },
      operations: {
        read: [{ name: 'Bad Name', maps_to: 'FETCH /ships', supports_fields: 'yes' }],
        delete: [{ name: 'drop', maps_to: 'DELETE /ships/{id}', params: { id: { type: 'text' } } }],
      },
    });
    const result = parseAdapter(text, 'a.json');
    const paths = result.ok ? [] : result.problems.map(({ path }) => path);
    expect(paths.toSorted()).toEqual([
      'operations.delete[0].params.id.type',
      'operations.read[0].maps_to',
      'operations.read[0].name',
      'operations.read[0].supports_fields',
      'target.base_url',
    ]);
  });
});
