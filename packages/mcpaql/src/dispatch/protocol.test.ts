/** The rules of the protocol, one row each, tested with the harbour adapter. */

import { describe, expect, it } from 'vitest';

import { type Envelope } from '../../../../test/adapters/desk.js';
import { harbourDesk } from '../../../../test/adapters/harbour.js';

interface Refused {
  readonly [endpoint: string]: unknown;
}

const nested = (depth: number): unknown => (depth === 0 ? 1 : { a: nested(depth - 1) });
const params = (operation: string, given: unknown) => ({ operation, params: given });

describe('a request is refused', () => {
  it.each<[string, string, unknown, string, Refused]>([
    ['without an operation', 'read', {}, 'VALIDATION_MISSING_PARAM', { param_name: 'operation' }],
    ['with an operation that is no text', 'read', { operation: 5 }, 'VALIDATION_MISSING_PARAM', {}],
    [
      'with parameters that are a list',
      'read',
      params('get_ship', []),
      'VALIDATION_INVALID_TYPE',
      {},
    ],
    [
      'for an operation that nobody knows',
      'read',
      { operation: 'get_shp' },
      'NOT_FOUND_OPERATION',
      { operation: 'get_shp', available: ['get_ship'] },
    ],
    [
      'for an operation called like a property of objects',
      'read',
      { operation: 'constructor' },
      'NOT_FOUND_OPERATION',
      { operation: 'constructor' },
    ],
    [
      'at the wrong endpoint',
      'read',
      params('delete_booking', {}),
      'VALIDATION_ENDPOINT_MISMATCH',
      {
        operation: 'delete_booking',
        expected_endpoint: 'delete',
        actual_endpoint: 'read',
        expected_tool: 'harbour_logbook_mcpaql_delete',
      },
    ],
    [
      'without a required parameter',
      'read',
      params('get_ship', {}),
      'VALIDATION_MISSING_PARAM',
      { param_name: 'ship_id', operation: 'get_ship' },
    ],
    [
      'with null for a required parameter',
      'read',
      params('get_ship', { ship_id: null }),
      'VALIDATION_MISSING_PARAM',
      { param_name: 'ship_id' },
    ],
    [
      'with a parameter of another type',
      'read',
      params('list_berths', { free_only: 'yes' }),
      'VALIDATION_INVALID_TYPE',
      { param_name: 'free_only', expected_type: 'boolean', actual_type: 'string' },
    ],
    [
      'with a parameter that nobody knows',
      'read',
      params('list_berths', { colour: 1 }),
      'VALIDATION_UNKNOWN_PARAM',
      {
        operation: 'list_berths',
        unknown_params: ['colour'],
        valid_params: ['free_only', 'fields'],
      },
    ],
    [
      'with a word outside enum',
      'update',
      params('update_booking', { booking_id: 'x', status: 'sunk' }),
      'VALIDATION_INVALID_ENUM',
      { param_name: 'status' },
    ],
    [
      'with a number out of range',
      'update',
      params('set_berth_length', { berth_id: 'b1', length_m: 1 }),
      'VALIDATION_OUT_OF_RANGE',
      { param_name: 'length_m', minimum: 5, actual: 1 },
    ],
    [
      'with text that is too long',
      'create',
      params('register_ship', { name: 'x'.repeat(81), flag: 'NO' }),
      'VALIDATION_OUT_OF_RANGE',
      { param_name: 'name', maximum: 80 },
    ],
    [
      'with text that does not match',
      'create',
      params('register_ship', { name: 'x', flag: 'no' }),
      'VALIDATION_PATTERN_MISMATCH',
      { param_name: 'flag' },
    ],
    [
      'with a number that loses digits',
      'update',
      '{"operation":"set_berth_length","params":{"berth_id":"b1","length_m":9007199254740993}}',
      'VALIDATION_INVALID_TYPE',
      { param_name: 'length_m' },
    ],
    [
      'with __proto__ in it',
      'read',
      '{"operation":"get_ship","params":{"ship_id":"x","__proto__":{"a":1}}}',
      'VALIDATION_INVALID_VALUE',
      { key: '__proto__' },
    ],
    [
      'with constructor deep in it',
      'read',
      params('get_ship', { ship_id: 'x', a: [{ constructor: 1 }] }),
      'VALIDATION_INVALID_VALUE',
      { key: 'constructor' },
    ],
    [
      'that is too large',
      'read',
      params('get_ship', { ship_id: 'x'.repeat(1024 * 1024) }),
      'VALIDATION_PAYLOAD_TOO_LARGE',
      { limit_type: 'request_size', unit: 'bytes' },
    ],
    [
      'that is too deep',
      'read',
      params('get_ship', nested(33)),
      'VALIDATION_PAYLOAD_TOO_LARGE',
      { limit_type: 'nesting_depth', limit_value: 32, actual_value: 33 },
    ],
    [
      'with a list that is too long',
      'read',
      params('get_ship', { a: Array(10_001).fill(1) }),
      'VALIDATION_PAYLOAD_TOO_LARGE',
      { limit_type: 'array_elements' },
    ],
    [
      'with fields that are no paths',
      'read',
      params('list_ships', { fields: ['a..b'] }),
      'VALIDATION_INVALID_VALUE',
      { param_name: 'fields' },
    ],
    [
      'with a cursor that nobody gave out',
      'read',
      params('list_ships', { first: 1, after: 'Mg.AAAAAAAAAAAAAAAA' }),
      'VALIDATION_INVALID_VALUE',
      { param_name: 'after' },
    ],
    [
      'with a cursor alone',
      'read',
      params('list_ships', { after: 'x' }),
      'VALIDATION_INVALID_VALUE',
      {},
    ],
    [
      'with two places to start from',
      'read',
      params('list_ships', { first: 1, after: 'x', offset: 1 }),
      'VALIDATION_INVALID_VALUE',
      {},
    ],
    [
      'with what it updates inside the input',
      'update',
      params('update_booking', { input: { booking_id: 'x' } }),
      'VALIDATION_UNKNOWN_FIELD',
      { unknown_fields: ['booking_id'] },
    ],
    [
      'with an unknown field in the input',
      'update',
      params('update_booking', { booking_id: 'x', input: { colour: 1 } }),
      'VALIDATION_UNKNOWN_PARAM',
      { unknown_params: ['colour'] },
    ],
    [
      'with both operation and operations',
      'read',
      { operation: 'get_ship', operations: [] },
      'VALIDATION_INVALID_TYPE',
      {},
    ],
    ['with an empty batch', 'read', { operations: [] }, 'VALIDATION_INVALID_TYPE', {}],
    [
      'with a batch of 51',
      'read',
      { operations: Array.from({ length: 51 }, () => ({ operation: 'introspect' })) },
      'VALIDATION_INVALID_TYPE',
      {},
    ],
    [
      'that is more than the adapter is trusted with',
      'execute',
      params('open_sluice', { sluice_id: 'north' }),
      'PERMISSION_TRUST_LEVEL_INSUFFICIENT',
      { trust_level: 'validated', required_trust_level: 'community_reviewed' },
    ],
  ])('%s, before anything is sent', async (_, endpoint, args, code, details) => {
    const { desk, harbour } = await harbourDesk();
    const answer = await desk.ask(endpoint, args);
    expect(answer).toMatchObject({ success: false, error: { code } });
    expect(answer.error?.details ?? {}).toMatchObject(details);
    expect(answer).not.toHaveProperty('data');
    expect(answer.error?.message).not.toMatch(/Error:|node:|\.ts\b|undefined|\[object/);
    expect(harbour.requests).toEqual([]);
  });

  it('in this order: required, type, unknown, constraints', async () => {
    const { desk } = await harbourDesk();
    const codeOf = async (given: object) =>
      (await desk.ask('create', params('register_ship', given))).error?.code;
    const [type, constraint, unknown] = [{ flag: 5 }, { name: '' }, { colour: 1 }];
    expect(await codeOf({ ...type, ...unknown })).toBe('VALIDATION_MISSING_PARAM');
    expect(await codeOf({ ...constraint, ...type, ...unknown })).toBe('VALIDATION_INVALID_TYPE');
    expect(await codeOf({ ...constraint, flag: 'NO', ...unknown })).toBe(
      'VALIDATION_UNKNOWN_PARAM',
    );
    expect(await codeOf({ ...constraint, flag: 'NO' })).toBe('VALIDATION_OUT_OF_RANGE');
  });
});

describe('a request is accepted', () => {
  it('with parameters beside the operation; those in params win', async () => {
    const { desk } = await harbourDesk();
    const beside = await desk.ask('read', { operation: 'get_ship', ship_id: 'ship-2' });
    expect(beside).toMatchObject({ data: { name: 'Brise' } });
    const both = await desk.ask('read', {
      operation: 'get_ship',
      ship_id: 'ship-2',
      params: { ship_id: 'ship-3' },
    });
    expect(both).toMatchObject({ data: { name: 'Caravel' } });
  });

  it('with extra members that start with an underscore', async () => {
    const { desk } = await harbourDesk();
    const args = {
      operation: 'get_ship',
      _meta: { x: 1 },
      params: { ship_id: 'ship-1', _note: 1 },
    };
    expect(await desk.ask('read', args)).toMatchObject({ success: true });
  });

  it('with defaults, and without null values', async () => {
    const { desk, harbour } = await harbourDesk();
    await desk.ask('read', params('list_berths', { free_only: null }));
    expect(harbour.requests).toEqual(['GET /api/v1/berths?free_only=false']);
  });
});

describe('field selection', () => {
  it.each<[string, object, unknown]>([
    [
      'a path of each element',
      { fields: ['id', 'crew.captain'], first: 1 },
      { id: 'ship-1', crew: { captain: 'Captain of Alba' } },
    ],
    ['a preset', { fields: 'minimal', first: 1 }, { id: 'ship-1', name: 'Alba' }],
    [
      'a preset and a path',
      { fields: ['minimal', 'flag'], first: 1 },
      { id: 'ship-1', name: 'Alba', flag: 'NO' },
    ],
    ['what is not there', { fields: ['nothing', 'id.deeper'], first: 1 }, { id: 'ship-1' }],
    [
      'the standard preset for a list',
      { first: 1 },
      { id: 'ship-1', name: 'Alba', flag: 'NO', length_m: 42 },
    ],
    [
      'everything',
      { fields: 'full', first: 1 },
      {
        id: 'ship-1',
        name: 'Alba',
        flag: 'NO',
        length_m: 42,
        crew: { captain: 'Captain of Alba' },
      },
    ],
  ])('accepts %s', async (_, given, expected) => {
    const { desk } = await harbourDesk();
    const { data } = await desk.ask('read', params('list_ships', given));
    expect((data as { items: unknown[] }).items).toEqual([expected]);
  });

  it('returns everything of one object by default', async () => {
    const { desk } = await harbourDesk();
    const ship = async (given: object) =>
      (await desk.ask('read', params('get_ship', { ship_id: 'ship-1', ...given }))).data;
    expect(await ship({})).toHaveProperty('crew');
    expect(await ship({ fields: ['name'] })).toEqual({ name: 'Alba' });
  });
});

describe('pages', () => {
  interface Page {
    readonly items: readonly { readonly id: string }[];
    readonly pageInfo: { readonly hasNextPage: boolean; readonly endCursor?: string };
  }

  it.each(['list_ships', 'list_bookings', 'read_log'])(
    'of %s are read to the end with first and after, for every kind of paging',
    async (operation) => {
      const { desk } = await harbourDesk();
      const ids: unknown[] = [];
      let after: string | undefined;
      for (let pages = 0; pages < 10; pages++) {
        const given = { first: 2, ...(after === undefined ? {} : { after }) };
        const { data } = await desk.ask('read', params(operation, given));
        const { items, pageInfo } = data as Page;
        ids.push(...items);
        after = pageInfo.endCursor;
        expect(pageInfo.hasNextPage).toBe(after !== undefined);
        if (after === undefined) break;
      }
      expect(ids).toHaveLength({ list_ships: 5, list_bookings: 3, read_log: 4 }[operation]!);
      expect(new Set(ids.map((id) => JSON.stringify(id))).size).toBe(ids.length);
    },
  );

  it('have a page number if the caller sends one', async () => {
    const { desk } = await harbourDesk();
    const page = async (operation: string, given: object) =>
      ((await desk.ask('read', params(operation, given))).data as { pagination: unknown })
        .pagination;
    expect(await page('list_ships', { limit: 2, offset: 4 })).toEqual({
      limit: 2,
      offset: 4,
      returned: 1,
      total_items: 5,
      has_more: false,
    });
    expect(await page('list_bookings', { page: 1, page_size: 2 })).toEqual({
      page: 1,
      page_size: 2,
      total_items: 3,
      total_pages: 2,
      has_more: true,
    });
  });

  it('that are too large are made smaller, with a notice', async () => {
    const { desk, harbour } = await harbourDesk();
    const answer = await desk.ask('read', params('list_ships', { first: 5000 }));
    expect(answer.warnings).toMatchObject([{ code: 'VALIDATION_TRUNCATED_WARNING' }]);
    expect(harbour.requests).toEqual(['GET /api/v1/ships?limit=100&offset=0']);
  });

  it('refuse the cursor of another operation', async () => {
    const { desk } = await harbourDesk();
    const { data } = await desk.ask('read', params('list_ships', { first: 1 }));
    const after = (data as Page).pageInfo.endCursor;
    const stolen = await desk.ask('read', params('read_log', { first: 1, after }));
    expect(stolen.error?.code).toBe('VALIDATION_INVALID_VALUE');
  });
});

describe('a batch', () => {
  interface Batch extends Envelope {
    readonly results: readonly { readonly index: number; readonly result: Envelope }[];
  }

  it('continues after a failure, and counts', async () => {
    const { desk } = await harbourDesk();
    const answer = (await desk.ask('read', {
      operations: [
        params('get_ship', { ship_id: 'ship-1' }),
        params('get_ship', { ship_id: 'nobody' }),
        { operation: 'introspect' },
        params('delete_booking', { booking_id: 'booking-1' }),
      ],
    })) as Batch;
    expect(answer).toMatchObject({
      success: true,
      data: null,
      summary: { total: 4, succeeded: 2, failed: 2 },
    });
    expect(answer.results.map(({ result }) => result.error?.code)).toEqual([
      undefined,
      'NOT_FOUND_RESOURCE',
      undefined,
      'VALIDATION_ENDPOINT_MISMATCH',
    ]);
  });

  it('stops at an operation that needs a confirmation, and lists the rest', async () => {
    const { desk, harbour } = await harbourDesk();
    const remove = (booking_id: string) => params('delete_booking', { booking_id });
    const answer = await desk.ask('delete', {
      operations: [{ operation: 'introspect' }, remove('booking-1'), remove('booking-2')],
    });
    expect(answer).toMatchObject({
      success: true,
      summary: { total: 3, succeeded: 1, failed: 0, halted: true, pending: 2 },
      halted_at: { index: 1, result: { error: { code: 'CONFIRMATION_REQUIRED' } } },
      pending_operations: [
        { index: 1, operation: 'delete_booking', params: { booking_id: 'booking-1' } },
        { index: 2, params: { booking_id: 'booking-2' } },
      ],
    });
    expect(harbour.requests).toEqual([]);
  });
});
