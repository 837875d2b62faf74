import { describe, expect, it } from 'vitest';

import { api, OK, tried } from '../../../../../test/adapters/imported-api.js';
import { adapterFromOpenApi } from './import-openapi.js';

const post = (path: string, schema: unknown, more: object = {}) =>
  api(
    {
      [path]: {
        post: {
          operationId: 'make',
          requestBody: { required: true, content: { 'application/json': { schema } } },
          responses: OK,
        },
      },
    },
    more,
  );

const ref = (name: string) => ({ $ref: `#/components/schemas/${name}` });

describe('an odd schema', () => {
  it('may have no type, and then accepts every value', async () => {
    const { send } = await tried(
      post('/a', {
        type: 'object',
        properties: { any: true, none: {}, said: { description: 'x' } },
      }),
    );
    for (const value of [{ a: null }, [null, 1], 'text', 5, false]) {
      const params = { any: value, none: value, said: value };
      expect(await send('make', params)).toBe(`POST /a ${JSON.stringify(params)}`);
    }
  });

  it('may be missing, and then the whole body is any value', async () => {
    const { send } = await tried(
      api({
        '/a': {
          post: {
            operationId: 'make',
            requestBody: { content: { 'application/json': {} } },
            responses: OK,
          },
        },
      }),
    );
    expect(await send('make', { body: [{ a: 1 }] })).toBe('POST /a [{"a":1}]');
    expect(await send('make', {})).toBe('POST /a');
  });

  it('may have its own $defs, with or without an $id', async () => {
    const own = {
      type: 'object',
      $defs: { P: { type: 'integer' } },
      properties: { p: { $ref: '#/$defs/P' } },
    };
    for (const schema of [own, { $id: 'https://odd.example/a', ...own }]) {
      const { send, left } = await tried(
        post('/a', ref('A'), { components: { schemas: { A: schema } } }),
      );
      expect(left).toEqual([]);
      expect(await send('make', { p: 1 })).toBe('POST /a {"p":1}');
      expect(await send('make', { p: 'x' })).toBe('VALIDATION_INVALID_TYPE');
    }
  });

  it('may be referred to by its anchor, and an unknown anchor is reported', async () => {
    const schemas = {
      A: {
        $anchor: 'thing',
        type: 'object',
        properties: { p: { type: 'integer' }, q: { $ref: '#none' }, kid: { $dynamicRef: '#node' } },
      },
      B: { $dynamicAnchor: 'node', type: 'object', properties: { n: { type: 'string' } } },
    };
    const { send, left } = await tried(post('/a', { $ref: '#thing' }, { components: { schemas } }));
    expect(left).toEqual([expect.stringContaining('"#none", which does not exist')]);
    expect(await send('make', { p: 1, kid: { n: 'x' } })).toBe('POST /a {"p":1,"kid":{"n":"x"}}');
    expect(await send('make', { p: 1, kid: { n: 5 } })).toBe('VALIDATION_INVALID_TYPE');
  });

  it('may contain itself, directly and in a union', async () => {
    const schemas = {
      Tree: {
        type: 'object',
        properties: { name: { type: 'string' }, kids: { type: 'array', items: ref('Tree') } },
      },
      Deep: { anyOf: [{ type: 'string' }, { type: 'array', items: ref('Deep') }] },
      Loop: ref('Loop'),
    };
    const components = { components: { schemas } };
    const tree = await tried(post('/a', ref('Tree'), components));
    const params = { name: 'a', kids: [{ name: 'b', kids: [{ name: 'c' }] }] };
    expect(await tree.send('make', params)).toBe(`POST /a ${JSON.stringify(params)}`);
    expect(await tree.send('make', { name: 5 })).toBe('VALIDATION_INVALID_TYPE');
    const deep = await tried(post('/a', ref('Deep'), components));
    expect(await deep.send('make', { body: ['a', ['b', ['c']]] })).toBe(
      'POST /a ["a",["b",["c"]]]',
    );
    const loop = await tried(post('/a', ref('Loop'), components));
    expect(loop.left).toEqual([expect.stringContaining('leads back to itself')]);
    expect(await loop.send('make', { body: { a: 1 } })).toBe('POST /a {"a":1}');
  });

  it('may have more forms than an adapter keeps, and values of the others are accepted', async () => {
    const names = Array.from({ length: 40 }, (_, i) => `P${i}`);
    const schemas = Object.fromEntries(
      names.map((name) => [
        name,
        { type: 'object', required: [name], properties: { [name]: { type: 'string' } } },
      ]),
    );
    const { send } = await tried(
      post('/a', { oneOf: names.map(ref) }, { components: { schemas } }),
    );
    expect(await send('make', { body: { P39: 'x' } })).toBe('POST /a {"P39":"x"}');
  });

  it('may have other keys with a union, and null where the document allows it', async () => {
    const { send } = await tried(
      post('/a', {
        type: 'object',
        properties: {
          id: { type: ['string', 'null'] },
          b: { oneOf: [{ type: 'null' }, { type: 'integer' }] },
        },
        additionalProperties: { anyOf: [{ type: 'string' }, { type: 'object' }] },
      }),
    );
    const body = { id: null, b: null, x: 's', y: { z: 1 } };
    expect(await send('make', { body })).toBe(`POST /a ${JSON.stringify(body)}`);
    expect(await send('make', { body: { id: 5 } })).toBe('VALIDATION_INVALID_TYPE');
  });
});

describe('odd parameters', () => {
  const q = (name: string, where: string, schema: object, more: object = {}) => ({
    name,
    in: where,
    schema,
    ...(where === 'path' ? { required: true } : {}),
    ...more,
  });

  it('of a path are inherited, and an operation replaces them by name and place', async () => {
    const parameters = [
      q('id', 'path', { type: 'string' }),
      q('v', 'query', { type: 'string', default: 'a' }),
    ];
    const own = [
      q('v', 'query', { type: 'integer', default: 2 }),
      q('id', 'query', { type: 'string' }),
    ];
    const { send } = await tried(
      api({
        '/s/{id}': {
          parameters,
          get: { operationId: 'getOne', parameters: own, responses: OK },
          delete: { operationId: 'deleteOne', responses: OK },
        },
      }),
    );
    expect(await send('get_one', { id: 'a', id_query: 'q' })).toBe('GET /s/a?v=2&id=q');
    expect(await send('get_one', { id: 'a', v: 'x' })).toBe('VALIDATION_INVALID_TYPE');
    expect(await send('delete_one', { id: 'a' })).toBe('DELETE /s/a?v=a');
  });

  it('in the style deepObject are written in brackets at every depth, including in a union', async () => {
    const deep = { style: 'deepObject', explode: true };
    const filter = {
      type: 'object',
      properties: {
        flag: { type: 'string' },
        size: { type: 'object', properties: { gt: { type: 'integer' } } },
      },
    };
    const open = { type: 'object', additionalProperties: { type: 'string' } };
    const either = {
      oneOf: [{ type: 'object', properties: { a: { type: 'string' } } }, { type: 'string' }],
    };
    const parameters = [
      q('filter', 'query', filter, deep),
      q('open', 'query', open, deep),
      q('either', 'query', either, deep),
    ];
    const { send } = await tried(
      api({ '/d': { get: { operationId: 'listAll', parameters, responses: OK } } }),
    );
    const given = {
      filter_flag: 'NO',
      filter_size: { gt: 5 },
      open: { x: '1' },
      either: { a: 'b' },
    };
    expect(await send('list_all', given)).toBe(
      'GET /d?filter[flag]=NO&filter[size][gt]=5&open[x]=1&either[a]=b',
    );
    expect(await send('list_all', { either: 'text' })).toBe('GET /d?either=text');
  });
});

describe('an odd body', () => {
  it('of a form in 2.0 has lists with commas, unless they are repeated', async () => {
    const list = (name: string, more: object) => ({
      name,
      in: 'formData',
      type: 'array',
      items: { type: 'string' },
      ...more,
    });
    const parameters = [
      { name: 'a', in: 'formData', type: 'string', required: true },
      list('b', {}),
      list('c', { collectionFormat: 'csv' }),
      list('d', { collectionFormat: 'multi' }),
    ];
    const operation = (consumes: string, id: string) => ({
      post: { operationId: id, consumes: [consumes], parameters, responses: OK },
    });
    const { send, target } = await tried(
      JSON.stringify({
        swagger: '2.0',
        info: { title: 'Old', version: '1.0' },
        host: 'old.example',
        basePath: '/api',
        paths: {
          '/f': operation('application/x-www-form-urlencoded', 'form'),
          '/m': operation('multipart/form-data', 'parts'),
        },
      }),
    );
    const params = { a: 'ü &', b: ['1', '2'], c: ['3', '4'], d: ['5', '6'] };
    expect(await send('form', params)).toBe('POST /f a=%C3%BC+%26&b=1,2&c=3,4&d=5&d=6');
    await send('parts', params);
    const fields = target.asked.at(-1)!.body.matchAll(/name="(\w)"\r\n\r\n(.*)\r\n/g);
    expect(Array.from(fields, ([, name, value]) => `${name}=${value}`)).toEqual([
      'a=ü &',
      'b=1,2',
      'c=3,4',
      'd=5',
      'd=6',
    ]);
  });

  it('of a form has the styles of its encoding', async () => {
    const schema = {
      type: 'object',
      properties: {
        a: { type: 'array', items: { type: 'string' } },
        o: { type: 'object', properties: { k: { type: 'string' } } },
      },
    };
    const encoding = {
      a: { style: 'form', explode: false },
      o: { style: 'deepObject', explode: true },
    };
    const content = { 'application/x-www-form-urlencoded': { schema, encoding } };
    const { send } = await tried(
      api({ '/f': { post: { operationId: 'make', requestBody: { content }, responses: OK } } }),
    );
    expect(await send('make', { a: ['1', '2'], o: { k: 'v' } })).toBe('POST /f a=1,2&o%5Bk%5D=v');
  });

  it('may belong to DELETE, and text/json is JSON', async () => {
    const content = {
      'text/json': { schema: { type: 'object', properties: { why: { type: 'string' } } } },
    };
    const { send, target } = await tried(
      api({
        '/a': { delete: { operationId: 'deleteIt', requestBody: { content }, responses: OK } },
      }),
    );
    for (let i = 0; i < 2; i++)
      expect(await send('delete_it', { why: 'old' })).toBe('DELETE /a {"why":"old"}');
    expect(target.asked[0]!.headers).toMatchObject({
      'content-type': 'text/json',
      'content-length': '13',
    });
  });
});

describe('an odd document', () => {
  it('may use YAML anchors and merge keys', async () => {
    const { send } = await tried(`openapi: 3.0.0
info: &info { title: Anchors, version: "1" }
x-limit: &limit { name: limit, in: query, schema: { type: integer } }
servers: [{ url: https://anchors.example }]
paths:
  /a:
    get: &list
      operationId: listAll
      parameters: [*limit]
      responses: { "200": { description: Fine } }
    post:
      <<: *list
      operationId: make
      requestBody: { content: { application/json: { schema: { type: object, properties: { a: { type: string } } } } } }
`);
    expect(await send('list_all', { limit: 5 })).toBe('GET /a?limit=5');
    expect(await send('make', { a: 'x', limit: 2 })).toBe('POST /a?limit=2 {"a":"x"}');
  });

  it.each([
    [
      'YAML',
      'openapi: 3.0.0\ninfo:\n  title: Windows\n  version: 1.0\n  description: |\n    One\n    two\npaths:\n  /a:\n    get:\n      operationId: listAll\n      responses:\n        200:\n          description: Fine\n',
    ],
    [
      'JSON',
      api({ '/a': { get: { operationId: 'listAll', responses: OK } } }).replaceAll(',', ',\n'),
    ],
  ])('may have a byte order mark and Windows line ends, as %s', async (_, text) => {
    const { send } = await tried(`\ufeff${text.replaceAll('\n', '\r\n')}`);
    expect(await send('list_all', {})).toBe('GET /a');
  });

  it('may name fifty servers with variables, and the first one counts', async () => {
    const servers = Array.from({ length: 50 }, (_, i) => ({
      url: `https://{region}.host${i}.example:{port}/{base}`,
      variables: { region: { default: `r${i}` }, port: { default: 8443 }, base: { default: 'v2' } },
    }));
    const { adapter } = await tried(api({ '/a': { get: { responses: OK } } }, { servers }));
    expect(adapter.target).toMatchObject({ base_url: 'https://r0.host0.example:8443/v2' });
  });

  it('may have a server variable without a default, and then has no address', () => {
    const servers = [{ url: 'https://host.example/{v}' }];
    const result = adapterFromOpenApi(api({ '/a': { get: { responses: OK } } }, { servers }), {});
    expect(result.ok && result.adapter).toContain('https://api.invalid');
    expect(result.report.findings.map(({ message }) => message)).toEqual(
      expect.arrayContaining([
        'The variable "v" of the server has no default.',
        'The document has no address of the API; set target.base_url.',
      ]),
    );
  });

  it('may have operationIds that are very long, or differ only in case', async () => {
    const long = 'veryLongOperationId'.repeat(22).slice(0, 399);
    const ids = [`${long}A`, `${long}B`, 'getShip', 'GetShip', 'getship', 'GET_SHIP', 'get-ship'];
    const paths = ids.map((operationId, i) => [`/p${i}`, { get: { operationId, responses: OK } }]);
    const { adapter, send } = await tried(api(Object.fromEntries(paths) as object));
    const names = [...adapter.operations.keys()];
    expect(new Set(names).size).toBe(ids.length);
    for (const [i, name] of names.entries()) {
      expect(name).toMatch(/^[a-z][a-z0-9_]{0,63}$/);
      expect(await send(name, {})).toBe(`GET /p${i}`);
    }
  });

  it('may have callbacks and webhooks, which are not operations; webhooks are reported', async () => {
    const event = { post: { operationId: 'onEvent', responses: OK } };
    const operation = {
      operationId: 'subscribe',
      callbacks: { on: { '{$request.body#/url}': event } },
      responses: OK,
    };
    const { adapter, left } = await tried(
      api({ '/s': { post: operation } }, { webhooks: { ship: event } }),
    );
    expect([...adapter.operations.keys()]).toEqual(['subscribe']);
    expect(left).toEqual([expect.stringMatching(/^Webhooks were left out \(1\)/)]);
  });

  it('may be of version 3.2; other methods are reported', async () => {
    const operation = { operationId: 'listAll', responses: OK };
    const pathItem = {
      get: operation,
      query: operation,
      additionalOperations: { COPY: operation },
    };
    const { adapter, left } = await tried(api({ '/a': pathItem }, { openapi: '3.2.0' }));
    expect([...adapter.operations.keys()]).toEqual(['list_all']);
    expect(left.map((message) => message.split(' ', 2).join(' '))).toEqual(['QUERY /a', 'COPY /a']);
  });

  it.each([
    ['empty', {}],
    ['null', null],
  ])('without operations is refused: paths are %s', (_, paths) => {
    const result = adapterFromOpenApi(api(paths as object));
    expect(result.ok).toBe(false);
    expect(result.report.findings.at(-1)).toMatchObject({ kind: 'failed' });
  });
});
