import fc from 'fast-check';
import { describe, expect, it } from 'vitest';

import { adapterWith } from '../../../../test/adapters/adapters.js';
import { buildRequest } from './http-request.js';

const BASE = 'https://api.example/v2/';

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
  return buildRequest(operationOf(maps_to, declared, more), params, new Map(), BASE);
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
  ])('holds %j as it is, encoded, behind the path of the base', (value, expected) => {
    const { url } = requestFor('POST /files/{id}', { id: TEXT }, { id: value });
    expect(url.origin + url.pathname).toBe(`https://api.example${expected}`);
  });

  it.each(['.', '..', '', '\0', 'a\nb'])('refuses %j', (value) => {
    expect(() => requestFor('POST /files/{id}/x', { id: TEXT }, { id: value })).toThrow();
  });

  it('refuses dots that are put together out of several values', () => {
    expect(() =>
      requestFor('POST /files/{a}{b}/x', { a: TEXT, b: TEXT }, { a: '.', b: '.' }),
    ).toThrow('leads elsewhere');
    expect(() => requestFor('POST /files/.{a}/x', { a: TEXT }, { a: '.' })).toThrow(
      'leads elsewhere',
    );
  });

  it('takes numbers and lists, and no object', () => {
    const shapes = { id: { type: 'integer', required: true } };
    expect(requestFor('POST /{id}', shapes, { id: 7 }).url.pathname).toBe('/v2/7');
    const list = { id: { type: 'array', required: true } };
    expect(requestFor('POST /{id}', list, { id: ['a', 'b/c'] }).url.pathname).toBe('/v2/a%2Cb%2Fc');
    const object = { id: { type: 'object', required: true } };
    expect(() => requestFor('POST /{id}', object, { id: {} })).toThrow('single value');
  });

  it('never leaves its place, whatever the value', () => {
    const operation = operationOf('POST /files/{id}/x', { id: TEXT });
    fc.assert(
      fc.property(fc.string({ unit: 'binary', minLength: 1 }), (value) => {
        let url: URL;
        try {
          ({ url } = buildRequest(operation, new Map([['id', value]]), new Map(), BASE));
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

describe('what does not stand in the path', () => {
  it('goes into the body, or into the query where there is no body', () => {
    const shapes = { a: { type: 'string' }, n: { type: 'integer' } };
    const post = requestFor('POST /x', shapes, { a: 'b', n: 1 });
    expect([post.body, post.headers.get('content-type')]).toEqual([
      '{"a":"b","n":1}',
      'application/json',
    ]);
    const get = requestFor('GET /x', shapes, { a: 'b c', n: 1 });
    expect([get.url.search, get.body]).toEqual(['?a=b+c&n=1', undefined]);
    expect(requestFor('POST /x', shapes, {}).body).toBeUndefined();
  });

  it('goes where the adapter says, under the name of the target', () => {
    const { url, headers, body } = requestFor(
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

  it('may be the whole body', () => {
    const shapes = { rows: { type: 'array', in: 'payload' } };
    expect(requestFor('POST /x', shapes, { rows: [1, 2] }).body).toBe('[1,2]');
  });

  it('writes lists as the adapter says', () => {
    const tags = { tags: ['a', 'b c'] };
    const search = (list_style?: string) =>
      requestFor('GET /x', { tags: { type: 'array', ...(list_style ? { list_style } : {}) } }, tags)
        .url.search;
    expect(search()).toBe('?tags=a&tags=b+c');
    expect(search('comma')).toBe('?tags=a%2Cb+c');
  });

  it('is written as a form where the target wants one', () => {
    const { body, headers } = requestFor(
      'POST /x',
      { a: { type: 'string' }, b: { type: 'array' } },
      { a: 'x&y', b: [1, 2] },
      { request: { format: 'form' } },
    );
    expect(body).toBe('a=x%26y&b=1&b=2');
    expect(headers.get('content-type')).toBe('application/x-www-form-urlencoded');
  });

  it('does not break a header', () => {
    const shapes = { v: { type: 'string', in: 'header' } };
    expect(() => requestFor('GET /x', shapes, { v: 'a\r\nX-Evil: 1' })).toThrow('one line');
  });
});
