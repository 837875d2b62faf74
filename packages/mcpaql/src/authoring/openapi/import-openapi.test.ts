import { readFileSync } from 'node:fs';
import { fileURLToPath } from 'node:url';

import { describe, expect, it } from 'vitest';

import { parseAdapter } from '../../adapter/parse-adapter.js';
import { createAdapterSource } from '../../source/adapter-source.js';
import type { FindingKind, ImportResult } from '../spec/import-report.js';
import { adapterFromOpenApi, type OpenApiOptions } from './import-openapi.js';

const APIS = new URL('../../../testing-apis/', import.meta.url);
const read = (file: string): string => readFileSync(new URL(file, APIS), 'utf8');
const { FLEET: fleet } = (await import(new URL('fleet.mjs', APIS).href)) as { FLEET: unknown };
const FLEET = JSON.stringify(fleet);
const golden = (file: string): string => fileURLToPath(new URL(file, APIS));

function imported(text: string, options?: OpenApiOptions): ImportResult & { readonly ok: true } {
  const result = adapterFromOpenApi(text, options);
  if (!result.ok) throw new Error(result.report.findings.map(({ message }) => message).join('\n'));
  return result;
}

function adapterIn({ adapter }: ImportResult & { readonly ok: true }) {
  const parsed = parseAdapter(adapter, 'imported.adapter.md');
  if (!parsed.ok) throw new Error(JSON.stringify(parsed.problems));
  return parsed.adapter;
}

const found = ({ report }: ImportResult, kind: FindingKind): string[] =>
  report.findings.filter((each) => each.kind === kind).map(({ pointer }) => pointer);

/** A minimal document with these paths. */
const withPaths = (paths: unknown, more: object = {}): string =>
  JSON.stringify({
    openapi: '3.0.0',
    info: { title: 'Small', version: '1.0.0' },
    servers: [{ url: 'https://small.example' }],
    ...more,
    paths,
  });
const ANSWERS = { responses: { 200: { description: 'Fine' } } };

describe('documents of three versions become adapters', () => {
  it('OpenAPI 2.0, in JSON', async () => {
    const result = imported(read('reading-room.json'));
    await expect(result.adapter).toMatchFileSnapshot(golden('reading-room.adapter.md'));
    expect(adapterIn(result).auth).toMatchObject({ type: 'api_key', header_name: 'X-Room-Key' });
  });

  it('OpenAPI 3.0, in YAML', async () => {
    const result = imported(read('tide-tables.yaml'));
    await expect(result.adapter).toMatchFileSnapshot(golden('tide-tables.adapter.md'));
    expect(adapterIn(result).auth).toMatchObject({
      type: 'bearer',
      token_env: 'CALLSIGN_TIDE_TABLES_TOKEN',
    });
  });

  it('OpenAPI 3.1, with 126 operations', () => {
    const result = imported(FLEET);
    const adapter = adapterIn(result);
    expect(adapter.operations.size).toBe(126);
    expect(adapter.auth).toMatchObject({
      type: 'oauth2',
      client_id_env: 'CALLSIGN_FLEET_OFFICE_CLIENT_ID',
    });
    expect(adapter.operations.get('create_engine')?.params.get('power_kw')).toMatchObject({
      type: 'number',
      nullable: true,
    });
    expect(createAdapterSource(adapter).offer.tool).toHaveLength(5);
  });

  it('the same text gives the same adapter, byte for byte', () => {
    expect(adapterFromOpenApi(FLEET)).toEqual(adapterFromOpenApi(FLEET));
  });

  it('an imported adapter can only read until a person has reviewed it', () => {
    expect(adapterIn(imported(read('reading-room.json'))).trust).toBe('generated');
  });
});

describe('parts that cannot be imported are reported with their place', () => {
  const room = adapterFromOpenApi(read('reading-room.json'));
  const tides = adapterFromOpenApi(read('tide-tables.yaml'));

  it('methods that an adapter does not have', () => {
    expect(found(room, 'left-out')).toEqual(['#/paths/~1opening-hours/head']);
  });

  it('A7: but not uploads, downloads or cookies', () => {
    const { operations } = adapterIn(imported(read('reading-room.json')));
    const covers = [...operations.values()].filter(({ name }) => name.includes('cover'));
    expect(covers.map((each) => [each.requestFormat, each.response.format])).toEqual([
      ['multipart', 'json'],
      ['json', 'binary'],
    ]);
    expect([...covers[0]!.params.values()].some(({ type }) => type === 'file')).toBe(true);
    const loan = operations.get('lend_book')!;
    expect([...loan.params.values()].some((param) => param.in === 'cookie')).toBe(true);
  });

  it('patterns of other languages, and references to other documents', () => {
    expect(found(tides, 'left-out')).toContain('#/components/parameters/Fields/schema');
    expect(found(tides, 'left-out')).toContain('#/paths/~1charts~1{id}/get/parameters/1');
  });

  it('and every guess', () => {
    expect(found(tides, 'guess')).toEqual(
      expect.arrayContaining([
        '#/servers',
        '#/components/securitySchemes/token',
        '#/paths/~1stations/get',
        '#/paths/~1readings~1search/post',
      ]),
    );
  });

  it('a body whose media type has no name is one file', () => {
    const requestBody = { content: { '': { schema: { type: 'object' } } } };
    const result = imported(withPaths({ '/a': { post: { requestBody, ...ANSWERS } } }));
    const [operation] = adapterIn(result).operations.values();
    expect(operation?.params.get('body')?.type).toBe('file');
  });

  it('A7: a body that is neither JSON nor a form is one text, or one file', () => {
    const body = (type: string) => ({
      requestBody: { required: true, content: { [type]: {} } },
      ...ANSWERS,
    });
    const result = imported(
      withPaths({ '/a': { post: body('application/xml') }, '/b': { post: body('image/png') } }),
    );
    const operations = [...adapterIn(result).operations.values()];
    expect(
      operations.map((each) => [
        each.requestFormat,
        each.contentType,
        each.params.get('body')?.type,
      ]),
    ).toEqual([
      ['text', 'application/xml', 'string'],
      ['binary', 'image/png', 'file'],
    ]);
  });

  it('paths that leave the base path', () => {
    const result = imported(
      withPaths({ '/a/../b': { get: ANSWERS }, '/{a': { get: ANSWERS }, '/c': { get: ANSWERS } }),
    );
    expect(found(result, 'left-out')).toEqual(['#/paths/~1a~1..~1b/get', '#/paths/~1{a/get']);
  });
});

describe('names', () => {
  const namesOf = (paths: unknown): string[] =>
    imported(withPaths(paths)).report.operations.map(({ name }) => name);

  it('come from the id, else from the path, and are unique', () => {
    expect(
      namesOf({
        '/ships': { get: { operationId: 'listShips', ...ANSWERS }, post: ANSWERS },
        '/boats': { get: { operationId: 'list-ships', ...ANSWERS } },
        '/rafts': { get: { operationId: 'list_ships', ...ANSWERS } },
      }),
    ).toEqual(['list_ships', 'create_ship', 'list_boats', 'list_rafts']);
  });

  it('avoid those of the protocol, and convert letters that are not ASCII', () => {
    expect(
      namesOf({
        '/a': { get: { operationId: 'introspect', ...ANSWERS } },
        '/ключ': { get: { operationId: 'получить', ...ANSWERS } },
        '/2fa': { get: { operationId: '2fa', ...ANSWERS } },
      }),
    ).toEqual(['get_a', 'get', 'n2fa']);
  });

  it('of parameters with the same name are distinguished by their place', () => {
    const operation = adapterIn(imported(read('tide-tables.yaml'))).operations.get('cancel_alarm')!;
    expect([...operation.params.keys()]).toEqual(['id', 'id_query']);
    expect(operation.params.get('id_query')).toMatchObject({ in: 'query', as: 'id' });
  });
});

describe('addresses', () => {
  const baseOf = (more: object, options?: OpenApiOptions): string => {
    const { target } = adapterIn(imported(withPaths({ '/a': { get: ANSWERS } }, more), options));
    return target.transport === 'http' ? target.base_url : '';
  };

  it.each([
    [{ servers: [{ url: 'https://a.example/v1/' }] }, 'https://a.example/v1'],
    [{ servers: [{ url: 'http://a.example' }] }, 'https://a.example'],
    [{ servers: [{ url: 'http://127.0.0.1:80/x' }] }, 'http://127.0.0.1/x'],
    [{ servers: [{ url: 'https://me:secret@a.example?x=1' }] }, 'https://a.example'],
    [{ servers: [{ url: '/v3' }] }, 'https://found.example/v3'],
    [{ servers: [{ url: 'ftp://a.example' }] }, 'https://api.invalid'],
    [{ servers: [] }, 'https://api.invalid'],
  ])('%j is %s', (more, expected) => {
    expect(baseOf(more, { url: 'https://found.example/docs/openapi.json' })).toBe(expected);
  });

  it('of single operations are reported, because an adapter has one address', () => {
    const servers = [{ url: 'https://uploads.example' }];
    const result = imported(
      withPaths({ '/a': { get: { servers, ...ANSWERS } }, '/b': { get: ANSWERS } }),
    );
    expect(found(result, 'guess')).toEqual(['#/paths/~1a/get']);
  });

  it('may be given instead', () => {
    expect(baseOf({}, { baseUrl: 'http://localhost:1/x' })).toBe('http://localhost:1/x');
  });
});

describe('references', () => {
  it('in a cycle are omitted, and the rest is read', () => {
    const shared = {
      a: { $ref: '#/components/parameters/b' },
      b: { $ref: '#/components/parameters/a' },
    };
    const paths = {
      '/a': { get: { parameters: [{ $ref: '#/components/parameters/a' }], ...ANSWERS } },
    };
    const result = imported(withPaths(paths, { components: { parameters: shared } }));
    expect(result.report.operations).toHaveLength(1);
    expect(found(result, 'left-out')).toEqual(['#/paths/~1a/get/parameters/0']);
  });

  it('to another document are followed if that document is given', () => {
    const paths = {
      '/a': { get: { parameters: [{ $ref: 'parts.yaml#/Flag' }], ...ANSWERS } },
    };
    const documents = new Map([
      [
        'https://docs.example/parts.yaml',
        'Flag: { $ref: "#/Real" }\nReal: { name: flag, in: query, schema: { type: string } }',
      ],
    ]);
    const url = 'https://docs.example/openapi.json';
    const result = imported(withPaths(paths), { url, documents });
    expect([...adapterIn(result).operations.get('get_a')!.params.keys()]).toEqual(['flag']);
    expect(found(imported(withPaths(paths), { url }), 'left-out')).toHaveLength(1);
  });

  it('to a schema that contains itself stop there', () => {
    const adapter = adapterIn(imported(read('reading-room.json')));
    const sequel = adapter.operations.get('add_book')!.params.get('sequel_of');
    expect(sequel).toMatchObject({ type: 'object', additional_properties: true });
  });
});

describe('a text that is not an OpenAPI document is refused', () => {
  it.each([
    ['', /not an OpenAPI document/],
    ['{"openapi": "4.0.0", "paths": {}}', /not an OpenAPI document/],
    ['{"openapi": [', /neither JSON nor YAML/],
    ['a: b: c', /neither JSON nor YAML/],
    [withPaths({}), /No operation/],
    ['openapi: 3.0.0\npaths: 7', /No operation/],
  ])('%j', (text, message) => {
    const result = adapterFromOpenApi(text);
    expect(result.ok).toBe(false);
    const failed = result.report.findings.find(({ kind }) => kind === 'failed');
    expect(failed?.message).toMatch(message);
  });
});

describe('parameters that replace the method of a request', () => {
  const schema = { type: 'string' };
  const document = withPaths({
    '/ships/{_method}': {
      get: {
        operationId: 'getShip',
        parameters: [
          { name: '_method', in: 'path', required: true, schema },
          { name: 'X-HTTP-Method-Override', in: 'header', schema },
          { name: '_method', in: 'query', schema: { ...schema, default: 'DELETE' } },
          { name: 'o', in: 'query', schema: { type: 'object', properties: { _method: schema } } },
        ],
        ...ANSWERS,
      },
    },
  });

  it('are left out and reported', () => {
    const result = imported(document);
    const { params } = adapterIn(result).operations.get('get_ship')!;
    expect([...params.keys()]).toEqual(['method']);
    expect(found(result, 'left-out')).toHaveLength(2);
  });
});

it('a parameter that can choose a change needs a review', () => {
  const parameters = [{ name: 'action', in: 'query', schema: { enum: ['view', 'delete'] } }];
  const operation = { operationId: 'getItem', parameters, ...ANSWERS };
  const { adapter } = imported(withPaths({ '/items': { get: operation } }));
  expect(adapter).toContain('reviewed: false');
});
