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
