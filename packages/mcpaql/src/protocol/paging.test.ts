import { describe, expect, it } from 'vitest';

import { adapterWith } from '../../../../test/adapters/adapters.js';
import { pageOf, planPage } from './paging.js';

function operationWith(pagination: object, params: object = {}) {
  const read = [{ name: 'list_it', maps_to: 'GET /it', params, pagination }];
  return adapterWith({ operations: { read } }).operations.get('list_it')!;
}

const planned = (pagination: object, given: object, params: object = {}) => {
  const plan = planPage(operationWith(pagination, params), new Map(Object.entries(given)))!;
  return { query: Object.fromEntries(plan.query), counted: plan.counted, rest: plan.params.size };
};

describe('the target’s parameters for a page', () => {
  const SIZE = { per_page: { type: 'integer' } };
  const PAGES = { style: 'page', limit_param: 'per_page', first_page: 0 };

  it.each<[string, object, object, object, object]>([
    ['its first page by default', { style: 'offset' }, {}, {}, { limit: '20', offset: '0' }],
    ['where its pages start', PAGES, {}, {}, { per_page: '20', page: '0' }],
    [
      'nothing of a place that it has not named',
      { style: 'cursor' },
      { first: 5 },
      {},
      { limit: '5' },
    ],
    [
      'the size by the operation’s own parameter',
      PAGES,
      { per_page: 7 },
      SIZE,
      { per_page: '7', page: '0' },
    ],
    [
      'the size that comes first',
      PAGES,
      { per_page: 7, first: 3 },
      SIZE,
      { per_page: '3', page: '0' },
    ],
    [
      'its names',
      { style: 'offset', limit_param: 'max', position_param: 'skip' },
      { limit: 2, offset: 4 },
      {},
      { max: '2', skip: '4' },
    ],
    [
      'no more than it gives',
      { style: 'offset', max_limit: 10 },
      { limit: 50 },
      {},
      { limit: '10', offset: '0' },
    ],
  ])('is %s', (_, pagination, given, params, query) => {
    expect(planned(pagination, given, params)).toMatchObject({ query, rest: 0 });
  });

  it('is counted if the caller counts, and not with a cursor', () => {
    expect(planned({ style: 'offset' }, { limit: 2 }).counted).toBe(true);
    expect(planned({ style: 'offset' }, { first: 2 }).counted).toBe(false);
    expect(planned({ style: 'offset' }, {}).counted).toBe(false);
  });
});

describe('the next page', () => {
  const next = (pagination: object, after: object, nextLink?: string) => {
    const operation = operationWith(pagination);
    const plan = planPage(operation, new Map([['first', 2]]))!;
    const data = { items: [1, 2], more: 'x' };
    const { pageInfo } = pageOf(operation, plan, { data, nextLink }) as {
      pageInfo: { endCursor: string };
    };
    const given = new Map(Object.entries({ ...after, after: pageInfo.endCursor }));
    const { query, warnings } = planPage(operation, given)!;
    return { query: Object.fromEntries(query), warnings: warnings.length };
  };
  const link = 'https://x.example/it?page=2&limit=2';

  it.each<[string, object, object, number]>([
    ['page', {}, { limit: '2', page: '2' }, 1],
    ['link_header', { position_param: 'page' }, { limit: '2', page: '2' }, 1],
    ['offset', {}, { limit: '5', offset: '2' }, 0],
    ['cursor', { next_cursor: 'more' }, { limit: '5', cursor: 'x' }, 0],
  ])('skips nothing if its size is another one: %s', (style, more, query, warnings) => {
    const pagination = { style, items: 'items', limit_param: 'limit', ...more };
    expect(next(pagination, { first: 5 }, link)).toEqual({ query, warnings });
    expect(next(pagination, { first: 2 }, link)).toEqual({
      query: { ...query, limit: '2' },
      warnings: 0,
    });
  });
});

describe('the end of a list', () => {
  const isLast = (pagination: object, given: object, data: unknown) => {
    const operation = operationWith(pagination);
    const plan = planPage(operation, new Map(Object.entries(given)))!;
    const { pageInfo } = pageOf(operation, plan, { data }) as {
      pageInfo: { hasNextPage: boolean };
    };
    return !pageInfo.hasNextPage;
  };

  it.each<[string, boolean, object, object, unknown]>([
    ['a short page', true, { style: 'offset' }, { first: 2 }, [1]],
    ['a full page without a total', false, { style: 'offset' }, { first: 2 }, [1, 2]],
    [
      'a full page that completes the total',
      true,
      { style: 'offset', items: 'i', total: 't' },
      { first: 2 },
      { i: [1, 2], t: 2 },
    ],
    [
      'a total that is never reached',
      true,
      { style: 'offset', items: 'i', total: 't' },
      { first: 2 },
      { i: [], t: 9 },
    ],
    [
      'an empty cursor',
      true,
      { style: 'cursor', items: 'i', next_cursor: 'n' },
      { first: 1 },
      { i: [1], n: '' },
    ],
    [
      'a cursor',
      false,
      { style: 'cursor', items: 'i', next_cursor: 'n' },
      { first: 1 },
      { i: [1], n: 'x' },
    ],
  ])('after %s: %s', (_, expected, pagination, given, data) => {
    expect(isLast(pagination, given, data)).toBe(expected);
  });

  it('is not searched in an answer that is not a list', () => {
    const operation = operationWith({ style: 'offset', items: 'items' });
    const plan = planPage(operation, new Map())!;
    expect(pageOf(operation, plan, { data: { other: 1 } })).toEqual({ other: 1 });
  });
});
