import { describe, expect, it } from 'vitest';

import { adapterWith, documentOf } from '../../../../../test/adapters/adapters.js';
import { deskFor } from '../../../../../test/adapters/desk.js';
import { api, OK, tried } from '../../../../../test/adapters/imported-api.js';
import { answerJson, startTarget } from '../../../../../test/adapters/target.js';
import { parseAdapter } from '../../adapter/parse-adapter.js';
import { createAdapterSource } from '../../source/adapter-source.js';
import { reviewAdapter } from '../imported/review-adapter.js';
import { adapterFromOpenApi, type OpenApiOptions } from './import-openapi.js';

const query = (name: string, schema: object, more: object = {}) => ({
  name,
  in: 'query',
  schema,
  ...more,
});

describe('paging', () => {
  const list = (offset: object, schema: object) =>
    api({
      '/tasks': {
        get: {
          operationId: 'listTasks',
          parameters: [query('limit', { type: 'integer' }), query('offset', offset)],
          responses: {
            200: { description: 'A page', content: { 'application/json': { schema } } },
          },
        },
      },
    });
  const data = { type: 'array', items: { type: 'object' } };

  it('B5: a text "offset" that the API returns is a cursor, so that no number is sent', async () => {
    const next = { type: ['object', 'null'], properties: { offset: { type: 'string' } } };
    const schema = { type: 'object', properties: { data, next_page: next } };
    const { adapter, ask, target } = await tried(list({ type: 'string' }, schema), {
      answer(_, response, count) {
        const next_page = count === 1 ? { offset: 'eyJ0' } : null;
        answerJson(response, { data: [{ id: count }], next_page });
      },
    });
    expect(adapter.operations.get('list_tasks')!.pagination).toMatchObject({
      style: 'cursor',
      next_cursor: 'next_page.offset',
    });
    const { data: first } = await ask('list_tasks', { first: 1 });
    const { endCursor } = (first as { pageInfo: { endCursor: string } }).pageInfo;
    const { data: second } = await ask('list_tasks', { first: 1, after: endCursor });
    expect(second).toMatchObject({ items: [{ id: 2 }], pageInfo: { hasNextPage: false } });
    expect(target.asked.map(({ url }) => url)).toEqual([
      '/tasks?limit=1',
      '/tasks?limit=1&offset=eyJ0',
    ]);
  });

  it('B5: a text "offset" of which no answer speaks stays an ordinary parameter', async () => {
    const { adapter, send } = await tried(
      list({ type: 'string' }, { type: 'object', properties: { data } }),
    );
    expect(adapter.operations.get('list_tasks')!.pagination).toBeUndefined();
    expect(await send('list_tasks', { limit: 5 })).toBe('GET /tasks?limit=5');
    expect(await send('list_tasks', { offset: 'eyJ0' })).toBe('GET /tasks?offset=eyJ0');
  });

  it('B5: an "offset" that counts is still counted', async () => {
    for (const offset of [{ type: 'integer' }, { type: 'string', default: '0' }]) {
      const { adapter } = await tried(list(offset, { type: 'object', properties: { data } }));
      expect(adapter.operations.get('list_tasks')!.pagination?.style).toBe('offset');
    }
  });
});

describe('parts of a body that a document describes badly', () => {
  const post = (schema: object) =>
    api({
      '/ships': {
        post: {
          operationId: 'makeShip',
          requestBody: { required: true, content: { 'application/json': { schema } } },
          responses: OK,
        },
      },
    });

  it('B16: a required property without a description has a parameter', async () => {
    const { send } = await tried(
      post({
        type: 'object',
        required: ['name', 'flag'],
        properties: { name: { type: 'string' } },
      }),
    );
    expect(await send('make_ship', { name: 'Aurora' })).toBe('VALIDATION_MISSING_PARAM');
    expect(await send('make_ship', { name: 'Aurora', flag: 'NO' })).toBe(
      'POST /ships {"name":"Aurora","flag":"NO"}',
    );
  });

  it('is sent if it is required, though none of its fields is', async () => {
    const { send } = await tried(
      post({ type: 'object', properties: { name: { type: 'string' } } }),
    );
    expect(await send('make_ship', {})).toBe('POST /ships {}');
    expect(await send('make_ship', { name: 'Aurora' })).toBe('POST /ships {"name":"Aurora"}');
  });

  it('is sent if OpenAPI 2.0 requires it, though none of its fields is', async () => {
    const schema = { type: 'object', properties: { name: { type: 'string' } } };
    const body = { name: 'body', in: 'body', required: true, schema };
    const { send } = await tried(
      JSON.stringify({
        swagger: '2.0',
        info: { title: 'Odd', version: '1' },
        host: 'odd.example',
        paths: {
          '/ships': { post: { operationId: 'makeShip', parameters: [body], responses: OK } },
        },
      }),
    );
    expect(await send('make_ship', {})).toBe('POST /ships {}');
  });

  it.each([
    ['application/x-www-form-urlencoded', /^$/],
    ['multipart/form-data', /^--callsign-[-0-9a-f]+--\r\n$/],
  ])('is sent if it is required, as an empty %s', async (type, expected) => {
    const schema = { type: 'object', properties: { name: { type: 'string' } } };
    const operation = {
      operationId: 'makeShip',
      requestBody: { required: true, content: { [type]: { schema } } },
      responses: OK,
    };
    const { ask, target } = await tried(api({ '/ships': { post: operation } }));
    await ask('make_ship', {});
    const { headers, body } = target.asked[0]!;
    expect(headers['content-type']).toMatch(type);
    expect(headers['content-length']).toBe(String(body.length));
    expect(body).toMatch(expected);
  });

  it('B16: properties that are only required do not close an object', async () => {
    const { send } = await tried(post({ type: 'object', required: ['flag'] }));
    expect(await send('make_ship', { body: { name: 'Aurora' } })).toBe('VALIDATION_MISSING_PARAM');
    expect(await send('make_ship', { body: { flag: 'NO', name: 'Aurora' } })).toBe(
      'POST /ships {"flag":"NO","name":"Aurora"}',
    );
  });

  it('B16: a list of values that is too long is reported', async () => {
    const values = Array.from({ length: 300 }, (_, i) => `port-${i}`);
    const { send, left } = await tried(
      post({ type: 'object', properties: { port: { type: 'string', enum: values } } }),
    );
    expect(left).toEqual([expect.stringContaining('300 values were left out')]);
    expect(await send('make_ship', { port: 'port-299' })).toBe('POST /ships {"port":"port-299"}');
  });
});

describe('the styles of parameters', () => {
  const one = async (where: string, schema: object, more: object, value: unknown) => {
    const path = where === 'path' ? '/at/{id-of}' : '/at';
    const parameter = { name: 'id-of', in: where, required: true, schema, ...more };
    const { ask, target } = await tried(
      api({ [path]: { get: { operationId: 'getIt', parameters: [parameter], responses: OK } } }),
    );
    expect(await ask('get_it', { id_of: value })).toMatchObject({ success: true });
    return target.asked[0]!;
  };
  const TEXT = { type: 'string' };
  const LIST = { type: 'array', items: TEXT };
  const OBJECT = { type: 'object', additionalProperties: TEXT };
  const list = ['a,b', 'c/d'];
  const object = { R: '1,2', 'G=': 'é' };

  it.each([
    ['label', false, TEXT, 'a/b', '.a%2Fb'],
    ['label', false, LIST, list, '.a%2Cb,c%2Fd'],
    ['label', true, LIST, list, '.a%2Cb.c%2Fd'],
    ['label', false, OBJECT, object, '.R,1%2C2,G%3D,%C3%A9'],
    ['label', true, OBJECT, object, '.R=1%2C2.G%3D=%C3%A9'],
    ['matrix', false, TEXT, 'a;b', ';id-of=a%3Bb'],
    ['matrix', false, LIST, list, ';id-of=a%2Cb,c%2Fd'],
    ['matrix', true, LIST, list, ';id-of=a%2Cb;id-of=c%2Fd'],
    ['matrix', false, OBJECT, object, ';id-of=R,1%2C2,G%3D,%C3%A9'],
    ['matrix', true, OBJECT, object, ';R=1%2C2;G%3D=%C3%A9'],
    ['simple', false, LIST, list, 'a%2Cb,c%2Fd'],
    ['simple', true, LIST, list, 'a%2Cb,c%2Fd'],
    ['simple', false, OBJECT, object, 'R,1%2C2,G%3D,%C3%A9'],
    ['simple', true, OBJECT, object, 'R=1%2C2,G%3D=%C3%A9'],
  ])('B8: a path in the style %s, explode %s', async (style, explode, schema, value, expected) => {
    const { url } = await one('path', schema, { style, explode }, value);
    expect(url).toBe(`/at/${expected}`);
  });

  it.each([
    ['form', true, LIST, list, 'id-of=a%2Cb&id-of=c%2Fd'],
    ['form', false, LIST, list, 'id-of=a%2Cb,c%2Fd'],
    ['form', false, OBJECT, object, 'id-of=R,1%2C2,G%3D,%C3%A9'],
    ['spaceDelimited', false, LIST, list, 'id-of=a%2Cb%20c%2Fd'],
    ['pipeDelimited', false, LIST, list, 'id-of=a%2Cb%7Cc%2Fd'],
    ['spaceDelimited', true, LIST, list, 'id-of=a%2Cb&id-of=c%2Fd'],
    ['pipeDelimited', true, LIST, list, 'id-of=a%2Cb&id-of=c%2Fd'],
    ['form', true, OBJECT, object, 'R=1%2C2&G%3D=%C3%A9'],
    ['spaceDelimited', false, OBJECT, object, 'id-of=R%201%2C2%20G%3D%20%C3%A9'],
    ['spaceDelimited', undefined, OBJECT, object, 'id-of=R%201%2C2%20G%3D%20%C3%A9'],
    ['pipeDelimited', false, OBJECT, object, 'id-of=R%7C1%2C2%7CG%3D%7C%C3%A9'],
    ['deepObject', true, OBJECT, object, 'id-of%5BR%5D=1%2C2&id-of%5BG%3D%5D=%C3%A9'],
  ])('B8: a query in the style %s, explode %s', async (style, explode, schema, value, expected) => {
    const { url } = await one('query', schema, { style, explode }, value);
    expect(url).toBe(`/at?${expected}`);
  });

  it.each([
    [true, LIST, list, 'id-of=a%2Cb; id-of=c%2Fd'],
    [undefined, LIST, list, 'id-of=a%2Cb; id-of=c%2Fd'],
    [false, LIST, list, 'id-of=a%2Cb,c%2Fd'],
    [true, OBJECT, object, 'R=1%2C2; G%3D=%C3%A9'],
    [false, OBJECT, object, 'id-of=R,1%2C2,G%3D,%C3%A9'],
  ])('B19: a cookie, explode %s', async (explode, schema, value, expected) => {
    const { headers } = await one('cookie', schema, { explode }, value);
    expect(headers['cookie']).toBe(expected);
  });

  it.each(['form', 'deepObject'])(
    'B16: a required object in the style %s needs its required parts',
    async (style) => {
      const schema = { type: 'object', required: ['flag'], properties: { flag: TEXT, name: TEXT } };
      const get = (required: boolean) => ({
        operationId: required ? 'listAll' : 'listSome',
        parameters: [{ name: 'f', in: 'query', required, style, explode: true, schema }],
        responses: OK,
      });
      const { send } = await tried(api({ '/a': { get: get(true) }, '/b': { get: get(false) } }));
      const [flag, name] = style === 'form' ? ['flag', 'name'] : ['f_flag', 'f_name'];
      expect(await send('list_all', { [name]: 'Aurora' })).toBe('VALIDATION_MISSING_PARAM');
      const wire = style === 'form' ? 'flag' : 'f[flag]';
      expect(await send('list_all', { [flag]: 'NO' })).toBe(`GET /a?${wire}=NO`);
      expect(await send('list_some', {})).toBe('GET /b');
    },
  );

  it('B8: separators stay when a parameter for paging or a key is added to the query', async () => {
    const security = {
      components: { securitySchemes: { key: { type: 'apiKey', in: 'query', name: 'k' } } },
    };
    const parameters = [query('ids', LIST, { explode: false }), query('page', { type: 'integer' })];
    const content = { 'application/json': { schema: { type: 'array', items: {} } } };
    const get = {
      operationId: 'listAll',
      parameters,
      responses: { 200: { description: '', content } },
    };
    const { ask, target } = await tried(api({ '/at': { get } }, security), {
      env: { CALLSIGN_ODD_KEY: 'a,b' },
      answer: (_, response) => answerJson(response, []),
    });
    await ask('list_all', { ids: list, page: 2 });
    expect(target.asked[0]!.url).toBe('/at?ids=a%2Cb,c%2Fd&limit=20&page=2&k=a%2Cb');
  });

  it('B8: a list that is JSON in a query is JSON', async () => {
    const content = { 'application/json': { schema: LIST } };
    const { url } = await one('query', {}, { schema: undefined, content }, list);
    expect(new URLSearchParams(url.split('?')[1]).get('id-of')).toBe('["a,b","c/d"]');
  });
});

describe('a form', () => {
  const TEXTS = { type: 'array', items: { type: 'string' } };
  const FLAGS = { type: 'object', properties: { a: { type: 'string' }, b: { type: 'string' } } };

  it.each([
    [TEXTS, {}, ['x', 'y'], 'f=x&f=y'],
    [TEXTS, { explode: false }, ['x', 'y'], 'f=x,y'],
    [TEXTS, { style: 'spaceDelimited' }, ['x', 'y'], 'f=x%20y'],
    [TEXTS, { style: 'pipeDelimited', explode: false }, ['x', 'y'], 'f=x%7Cy'],
    [TEXTS, { contentType: 'application/json' }, ['x', 'y'], 'f=%5B%22x%22%2C%22y%22%5D'],
    [FLAGS, {}, { a: 'x', b: 'y' }, 'f=%7B%22a%22%3A%22x%22%2C%22b%22%3A%22y%22%7D'],
    [FLAGS, { explode: false }, { a: 'x', b: 'y' }, 'f=a,x,b,y'],
    [FLAGS, { style: 'form' }, { a: 'x', b: 'y' }, 'a=x&b=y'],
    [FLAGS, { style: 'pipeDelimited' }, { a: 'x', b: 'y' }, 'f=a%7Cx%7Cb%7Cy'],
    [FLAGS, { style: 'deepObject' }, { a: 'x', b: 'y' }, 'f%5Ba%5D=x&f%5Bb%5D=y'],
  ])('has the field %j with the encoding %j as stated', async (schema, encoding, value, body) => {
    const content = {
      'application/x-www-form-urlencoded': {
        schema: { type: 'object', properties: { f: schema } },
        encoding: { f: encoding },
      },
    };
    const post = { operationId: 'sendIt', requestBody: { content }, responses: OK };
    const { ask, target } = await tried(api({ '/at': { post } }));
    await ask('send_it', { f: value });
    expect(target.asked[0]!.body).toBe(body);
  });
});

describe('a multipart body', () => {
  const form = (properties: object, encoding: object = {}) =>
    api({
      '/up': {
        post: {
          operationId: 'upload',
          requestBody: {
            content: {
              'multipart/form-data': { schema: { type: 'object', properties }, encoding },
            },
          },
          responses: OK,
        },
      },
    });
  const file = { base64: Buffer.from('hello').toString('base64'), name: 'a".png' };

  it('B10: of 3.1 says in contentMediaType and encoding which parts are files', async () => {
    const { adapter, ask, target } = await tried(
      form(
        {
          image: { type: 'string', contentMediaType: 'image/png' },
          untyped: { contentMediaType: 'application/octet-stream' },
          either: {},
          text: { type: 'string', contentMediaType: 'text/plain' },
          base64: { type: 'string', contentEncoding: 'base64', contentMediaType: 'image/png' },
        },
        { either: { contentType: 'image/png, image/jpeg' } },
      ),
    );
    const { params } = adapter.operations.get('upload')!;
    expect(Array.from(params.values(), ({ type, format }) => [type, format])).toEqual([
      ['file', undefined],
      ['file', undefined],
      ['file', undefined],
      ['string', undefined],
      ['string', 'byte'],
    ]);
    expect(await ask('upload', { image: file, base64: 'aGk=' })).toMatchObject({ success: true });
    expect(target.asked[0]!.body).toMatch(
      /name="image"; filename="a%22.png"\r\nContent-Type: application\/octet-stream\r\n\r\nhello\r\n/,
    );
    expect(target.asked[0]!.body).toMatch(/name="base64"\r\n\r\naGk=\r\n/);
  });

  it('B10: has parts in JSON that are not files', async () => {
    const part = { type: 'object', properties: { a: { type: 'integer' } } };
    const { ask, target } = await tried(
      form(
        { meta: part, other: part, image: { type: 'string', format: 'binary' } },
        {
          other: { contentType: 'application/vnd.odd+json' },
          image: { contentType: 'image/png' },
        },
      ),
    );
    await ask('upload', { meta: { a: 1 }, other: { a: 2 }, image: file });
    const { body } = target.asked[0]!;
    expect(body).toMatch(
      /form-data; name="meta"\r\nContent-Type: application\/json\r\n\r\n{"a":1}\r\n/,
    );
    expect(body).toMatch(
      /name="other"\r\nContent-Type: application\/vnd\.odd\+json\r\n\r\n{"a":2}/,
    );
    expect(body).toMatch(/filename="a%22.png"\r\nContent-Type: image\/png\r\n/);
    const { headers } = target.asked[0]!;
    const read = await new Response(body, {
      headers: { 'content-type': headers['content-type']! },
    }).formData();
    expect([read.get('meta'), (read.get('image') as File).name]).toEqual(['{"a":1}', 'a".png']);
  });
});

describe('a body of several media types', () => {
  const TEXT = { type: 'string' };
  const TEXTS = { type: 'array', items: TEXT };
  const fields = (properties: object) => ({ schema: { type: 'object', properties } });
  const guessesOf = async (content: object) => {
    const post = { operationId: 'change', requestBody: { content }, responses: OK };
    const { adapter, guessed } = await tried(api({ '/up': { post } }));
    const params = [...adapter.operations.get('change')!.params.keys()];
    return { params, guessed: guessed.filter((each) => each.startsWith('The body')) };
  };
  const file = { description: 'Its contents.', format: 'binary' };

  it('is JSON, and the import says which fields only the other one has', async () => {
    const both = {
      'multipart/form-data': fields({ title: TEXT, file, tags: TEXTS }),
      'application/json': fields({ title: TEXT }),
    };
    expect(await guessesOf(both)).toEqual({
      params: ['title'],
      guessed: [
        'The body can also be multipart/form-data, with file, tags; application/json was chosen.',
      ],
    });
  });

  it('is not reported if the other one has the same fields', async () => {
    const both = {
      'application/json': fields({ title: TEXT, tags: TEXTS }),
      'application/x-www-form-urlencoded': fields({ title: TEXT }),
    };
    expect((await guessesOf(both)).guessed).toEqual([]);
  });
});

describe('the address', () => {
  const baseOf = async (text: string, options: OpenApiOptions = {}) => {
    const { adapter, guessed } = await tried(text, options);
    const { target } = adapter;
    return { base: target.transport === 'http' ? target.base_url : '', guessed };
  };
  const paths = { '/a': { get: { operationId: 'getIt', responses: OK } } };
  const swagger = (more: object) =>
    JSON.stringify({ swagger: '2.0', info: { title: 'Odd', version: '1' }, paths, ...more });

  it.each([
    ['a relative server', api(paths, { servers: [{ url: '/api/v3' }] }), '/api/v3'],
    ['a basePath without a host', swagger({ basePath: '/v1.51' }), '/v1.51'],
  ])('B9: keeps the path of %s', async (_, text, path) => {
    const { base, guessed } = await baseOf(text);
    expect(base).toBe(`https://api.invalid${path}`);
    expect(guessed).toContainEqual(expect.stringContaining('only the path of the API'));
    const given = async (baseUrl: string) => (await baseOf(text, { baseUrl })).base;
    expect(await given('http://127.0.0.1:2375')).toBe(`http://127.0.0.1:2375${path}`);
    expect(await given('https://odd.example/proxy')).toBe('https://odd.example/proxy');
    const fetched = await baseOf(text, { url: 'https://found.example/docs/api.json' });
    expect(fetched.base).toBe(`https://found.example${path}`);
  });

  it('keeps the query that a path has', async () => {
    const get = (operationId: string, ...parameters: object[]) => ({
      get: { operationId, parameters, responses: OK },
    });
    const text = { type: 'string' };
    const { send } = await tried(
      api({
        '/api?action=list&v=2': get('listAll', query('place', text)),
        '/icons?set={set}': get('listIcons', { name: 'set', in: 'path', schema: text }),
      }),
    );
    expect(await send('list_all', {})).toBe('GET /api?action=list&v=2');
    expect(await send('list_all', { place: 'a b' })).toBe('GET /api?action=list&v=2&place=a+b');
    expect(await send('list_icons', { set: 'a&v=1' })).toBe('GET /icons?set=a&v=1');
  });

  const uploads = { servers: [{ url: 'https://uploads.example/v2/' }] };
  const many = api({
    '/a': { get: { operationId: 'listHere', responses: OK } },
    '/b': { get: { operationId: 'listThere', ...uploads, responses: OK } },
    '/c': { ...uploads, post: { operationId: 'sendThere', responses: OK } },
    '/d': { get: { operationId: 'listSame', servers: [{ url: '/v1' }], responses: OK } },
  });

  it('B17: of an operation with its own server is kept, and shown in the review', async () => {
    const { adapter } = await tried(many);
    const bases = Array.from(adapter.operations.values(), ({ name, baseUrl }) => [name, baseUrl]);
    expect(Object.fromEntries(bases)).toEqual({
      list_here: undefined,
      list_there: 'https://uploads.example/v2',
      send_there: 'https://uploads.example/v2',
      list_same: undefined,
    });
    const imported = adapterFromOpenApi(many);
    const review = reviewAdapter(imported.ok ? imported.adapter : '', 'a.md');
    const pending = review.ok ? review.pending.map(({ mapsTo }) => mapsTo) : [];
    expect(pending).toEqual([
      'GET https://uploads.example/v2/b',
      'POST https://uploads.example/v2/c',
    ]);
  });

  it('B17: of an operation can be set by hand, and an imported one needs a review', async () => {
    const other = await startTarget();
    const target = await startTarget();
    const read = (reviewed: object) => [
      { name: 'list_ships', maps_to: 'GET /ships' },
      { name: 'list_boats', maps_to: 'GET /boats', base_url: `${other.origin}/v2`, ...reviewed },
    ];
    const open = (reviewed: object) =>
      deskFor(
        createAdapterSource(
          adapterWith({
            target: { transport: 'http', base_url: target.origin },
            operations: { read: read(reviewed) },
          }),
        ),
      );
    for (const operation of ['list_ships', 'list_boats']) {
      expect(await open({}).ask('read', { operation })).toMatchObject({ success: true });
    }
    expect(target.asked.map(({ url }) => url)).toEqual(['/ships']);
    expect(other.asked.map(({ url }) => url)).toEqual(['/v2/boats']);
    for (const reviewed of [false, '0'.repeat(32)]) {
      const answer = await open({ reviewed }).ask('read', { operation: 'list_boats' });
      expect(answer.error?.code).toBe('PERMISSION_REVIEW_REQUIRED');
    }
    expect(other.asked).toHaveLength(1);
  });

  it('B17: of an operation is checked like that of the target', () => {
    const read = [{ name: 'list_ships', maps_to: 'GET /ships', base_url: 'http://odd.example' }];
    const result = parseAdapter(JSON.stringify(documentOf({ operations: { read } })), 'x.json');
    expect(result).toMatchObject({
      ok: false,
      problems: [{ code: 'insecure-address', path: 'operations.read[0].base_url' }],
    });
  });
});
