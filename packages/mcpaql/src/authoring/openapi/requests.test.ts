import { describe, expect, it } from 'vitest';

import { api, OK, tried } from '../../../../../test/adapters/imported-api.js';
import { answerJson } from '../../../../../test/adapters/target.js';

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
    ['pipeDelimited', true, LIST, list, 'id-of=a%2Cb&id-of=c%2Fd'],
  ])('B8: a query in the style %s, explode %s', async (style, explode, schema, value, expected) => {
    const { url } = await one('query', schema, { style, explode }, value);
    expect(url).toBe(`/at?${expected}`);
  });

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
