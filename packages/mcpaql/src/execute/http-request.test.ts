import fc from 'fast-check';
import { describe, expect, it } from 'vitest';

import { adapterWith } from '../../../../test/adapters/adapters.js';
import { buildRequest } from './http-request.js';

const CONTEXT = {
  baseUrl: 'https://api.example/v2/',
  query: new Map<string, string>(),
  files: [],
  adapterFile: 'a.md',
};

function operationOf(maps_to: string, params: Record<string, object>, more: object = {}) {
  const execute = [{ name: 'do_it', maps_to, params, ...more }];
  return adapterWith({ operations: { execute } }).operations.get('do_it')!;
}

function requestFor(
  maps_to: string,
  declared: Record<string, object>,
  given: Record<string, unknown>,
  more: object = {},
) {
  const params = new Map(Object.entries(given));
  return buildRequest(operationOf(maps_to, declared, more), params, CONTEXT);
}

const TEXT = { type: 'string', required: true };

describe('a path', () => {
  it.each([
    ['a b/c?d#e', '/v2/files/a%20b%2Fc%3Fd%23e'],
    ['%2e%2e%2fetc', '/v2/files/%252e%252e%252fetc'],
    ['ünï', '/v2/files/%C3%BCn%C3%AF'],
    ['..a', '/v2/files/..a'],
    ['a\\..\\b', '/v2/files/a%5C..%5Cb'],
    ['@evil.example', '/v2/files/%40evil.example'],
  ])('contains %j unchanged, encoded, after the path of the base', async (value, expected) => {
    const { url } = await requestFor('POST /files/{id}', { id: TEXT }, { id: value });
    expect(url.origin + url.pathname).toBe(`https://api.example${expected}`);
  });

  it.each(['.', '..', '', '\0', 'a\nb'])('refuses %j', async (value) => {
    await expect(requestFor('POST /files/{id}/x', { id: TEXT }, { id: value })).rejects.toThrow();
  });

  it('refuses dots that several values form together', async () => {
    await expect(
      requestFor('POST /files/{a}{b}/x', { a: TEXT, b: TEXT }, { a: '.', b: '.' }),
    ).rejects.toThrow('may be "." or ".."');
    await expect(requestFor('POST /files/.{a}/x', { a: TEXT }, { a: '.' })).rejects.toThrow(
      'may be "." or ".."',
    );
  });

  it('accepts numbers, and lists and objects that are not empty', async () => {
    const shapes = { id: { type: 'integer', required: true } };
    expect((await requestFor('POST /{id}', shapes, { id: 7 })).url.pathname).toBe('/v2/7');
    const list = { id: { type: 'array', required: true } };
    expect((await requestFor('POST /{id}', list, { id: ['a', 'b/c'] })).url.pathname).toBe(
      '/v2/a,b%2Fc',
    );
    const object = { id: { type: 'object', required: true } };
    await expect(requestFor('POST /{id}', object, { id: {} })).rejects.toThrow(
      'must be visible text',
    );
  });

  it('stays below its base for any value', async () => {
    const operation = operationOf('POST /files/{id}/x', { id: TEXT });
    await fc.assert(
      fc.asyncProperty(fc.string({ unit: 'binary', minLength: 1 }), async (value) => {
        let url: URL;
        try {
          ({ url } = await buildRequest(operation, new Map([['id', value]]), CONTEXT));
        } catch {
          return;
        }
        expect(url.origin).toBe('https://api.example');
        expect(url.pathname.split('/')).toHaveLength(5);
        expect([url.pathname.startsWith('/v2/files/'), url.pathname.endsWith('/x')]).toEqual([
          true,
          true,
        ]);
        expect(url.search + url.hash).toBe('');
      }),
      { numRuns: 200 },
    );
  });
});

describe('a parameter outside the path', () => {
  it('goes into the body, or into the query if there is no body', async () => {
    const shapes = { a: { type: 'string' }, n: { type: 'integer' } };
    const post = await requestFor('POST /x', shapes, { a: 'b', n: 1 });
    expect([post.body, post.headers.get('content-type')]).toEqual([
      '{"a":"b","n":1}',
      'application/json',
    ]);
    const get = await requestFor('GET /x', shapes, { a: 'b c', n: 1 });
    expect([get.url.search, get.body]).toEqual(['?a=b+c&n=1', undefined]);
    expect((await requestFor('POST /x', shapes, {})).body).toBeUndefined();
  });

  it('goes where the adapter says, under its name at the target', async () => {
    const { url, headers, body } = await requestFor(
      'POST /x',
      {
        q: { type: 'string', in: 'query', as: 'searchText' },
        version: { type: 'string', in: 'header', as: 'X-Version' },
        ship_id: { type: 'string', as: 'shipId' },
      },
      { q: 'a', version: '2', ship_id: 's' },
    );
    expect(url.search).toBe('?searchText=a');
    expect(headers.get('X-Version')).toBe('2');
    expect(body).toBe('{"shipId":"s"}');
  });

  it('may be the whole body', async () => {
    const shapes = { rows: { type: 'array', in: 'payload' } };
    expect((await requestFor('POST /x', shapes, { rows: [1, 2] })).body).toBe('[1,2]');
  });

  it('is written as a list in the adapter’s style', async () => {
    const tags = { tags: ['a', 'b c'] };
    const search = async (list_style?: string) => {
      const shape = { type: 'array', ...(list_style ? { list_style } : {}) };
      return (await requestFor('GET /x', { tags: shape }, tags)).url.search;
    };
    expect(await search()).toBe('?tags=a&tags=b+c');
    expect(await search('comma')).toBe('?tags=a,b+c');
  });

  it('is written as a form if the target needs one', async () => {
    const { body, headers } = await requestFor(
      'POST /x',
      { a: { type: 'string' }, b: { type: 'array' } },
      { a: 'x&y', b: [1, 2] },
      { request: { format: 'form' } },
    );
    expect(body).toBe('a=x%26y&b=1&b=2');
    expect(headers.get('content-type')).toBe('application/x-www-form-urlencoded');
  });

  it('cannot break a header', async () => {
    const shapes = { v: { type: 'string', in: 'header' } };
    await expect(requestFor('GET /x', shapes, { v: 'a\r\nX-Evil: 1' })).rejects.toThrow('one line');
  });

  it.each([
    ['header', 'Grüße', 'Grüße 船', 'Latin-1'],
    ['cookie', '船', 'a\ud800', 'valid text'],
  ])('must be text that a %s can carry', async (place, good, bad, why) => {
    const shapes = { v: { type: 'string', in: place } };
    await requestFor('GET /x', shapes, { v: good });
    const sent = requestFor('GET /x', shapes, { v: bad });
    await expect(sent).rejects.toMatchObject({ code: 'VALIDATION_INVALID_VALUE' });
    await expect(sent).rejects.toThrow(why);
  });

  it('must be text that a path can carry', async () => {
    const sent = requestFor(
      'GET /x/{v}',
      { v: { type: 'string', required: true } },
      { v: 'a\udc00b' },
    );
    await expect(sent).rejects.toMatchObject({ code: 'VALIDATION_INVALID_VALUE' });
  });
});
