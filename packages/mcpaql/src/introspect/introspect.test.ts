import { ENDPOINTS } from '@callsign/effects';
import { describe, expect, it } from 'vitest';

import { adapterWith } from '../../../../test/adapters/adapters.js';
import { deskFor } from '../../../../test/adapters/desk.js';
import { harbourAdapter } from '../../../../test/adapters/harbour.js';
import { shows } from '../../../../test/requirements/shows.js';
import { acceptedParams } from '../protocol/accepted-params.js';
import { createAdapterSource } from '../source/adapter-source.js';
import { firstSentence } from './signature.js';

type Data = Readonly<Record<string, unknown>>;

async function introspect(params: object, endpoint = 'read'): Promise<Data> {
  const desk = deskFor(createAdapterSource(await harbourAdapter()));
  const answer = await desk.ask(endpoint, { operation: 'introspect', params });
  expect(answer, JSON.stringify(answer)).toMatchObject({ success: true });
  return answer.data as Data;
}

/** Of the adapter in these tests. */
const IDENTITY = {
  version: '1.0.0',
  mode: 'crude',
  adapter: 'harbour-logbook',
  display_name: expect.any(String),
};

describe('introspection', () => {
  it.each([
    { search: 'ship' },
    { names: ['get_ship'] },
    { name: 'get_ship' },
    { query: 'types' },
    { query: 'types', name: 'BookingStatus' },
    {},
  ])('names the adapter in the answer to %j (S7)', async (params) => {
    expect((await introspect(params))['_protocol']).toMatchObject(IDENTITY);
  });

  it(
    'describes the adapter and what it can do, side by side',
    shows('AQL-45', 'AQL-46', 'AQL-47', 'AQL-48', 'AQL-49', async () => {
      const desk = deskFor(createAdapterSource(adapterWith()));
      const answer = await desk.ask('read', {
        operation: 'introspect',
        params: { query: 'operations' },
      });
      expect(answer).toMatchObject({
        success: true,
        data: {
          _protocol: {
            version: '1.0.0',
            mode: 'crude',
            adapter: 'apple-mail',
            display_name: 'Apple Mail',
          },
          operations: expect.any(Array),
        },
      });
    }),
  );

  it('lists what is built, what is not, and the limits', async () => {
    const { _protocol } = await introspect({ query: 'operations' });
    expect(_protocol).toMatchObject({
      capabilities: { batch: true, pagination: true, aggregations: false, computed_fields: false },
      limits: { max_request_size: 1_048_576, max_nesting_depth: 32 },
    });
  });

  it('lists every operation with four facts, itself included', async () => {
    const { operations } = await introspect({ query: 'operations' });
    const adapter = await harbourAdapter();
    expect((operations as Data[]).map(({ name }) => name)).toEqual([
      'introspect',
      ...adapter.operations.keys(),
    ]);
    expect((operations as Data[])[1]).toEqual({
      name: 'register_ship',
      semantic_category: 'CREATE',
      endpoint: 'create',
      description: 'Registers a ship.',
    });
  });

  it('shows one in detail, with the full name of its tool', async () => {
    expect(await introspect({ name: 'list_ships' })).toEqual({
      _protocol: IDENTITY,
      operation: {
        name: 'list_ships',
        semantic_category: 'READ',
        endpoint: 'read',
        mcpTool: 'harbour_logbook_mcpaql_read',
        description: 'Lists ships, those of one flag if you like.',
        permissions: { readOnly: true, destructive: false },
        parameters: [
          { name: 'flag', type: 'string', required: false },
          expect.objectContaining({ name: 'first', type: 'integer', minimum: 1 }),
          expect.objectContaining({ name: 'after', type: 'string' }),
          expect.objectContaining({ name: 'limit' }),
          expect.objectContaining({ name: 'offset' }),
          expect.objectContaining({ name: 'fields', items: { type: 'string' } }),
        ],
        returns: { name: 'Ship', kind: 'object' },
        examples: [
          {
            description: 'The ships of Norway',
            request: { operation: 'list_ships', params: { flag: 'NO' } },
          },
        ],
      },
    });
    const { operation } = await introspect({ name: 'delete_booking' });
    expect(operation).toMatchObject({
      mcpTool: 'harbour_logbook_mcpaql_delete',
      permissions: { readOnly: false, destructive: true },
    });
  });

  it('documents every accepted parameter, and no other', async () => {
    const adapter = await harbourAdapter();
    for (const operation of adapter.operations.values()) {
      const { operation: info } = await introspect({ name: operation.name });
      const { parameters } = info as { parameters: Data[] };
      expect(parameters.map(({ name, type, required }) => [name, type, required])).toEqual(
        Array.from(acceptedParams(operation).values(), ({ name, type, required }) => [
          name,
          type,
          required,
        ]),
      );
    }
  });

  it('answers null for unknown names, without an error', async () => {
    expect(await introspect({ name: 'no_such_operation' })).toEqual({
      _protocol: IDENTITY,
      operation: null,
    });
    expect(await introspect({ query: 'types', name: '__proto' })).toEqual({
      _protocol: IDENTITY,
      type: null,
    });
    expect(await introspect({ names: ['get_ship', 'constructor'], fields: ['name'] })).toEqual({
      _protocol: IDENTITY,
      operations: [{ name: 'get_ship' }, null],
    });
  });

  it.each(ENDPOINTS)('is accepted by %s', async (endpoint) => {
    expect(await introspect({ name: 'introspect' }, endpoint)).toMatchObject({
      operation: { name: 'introspect', mcpTool: 'harbour_logbook_mcpaql_read' },
    });
  });

  it('lists types, including those of the protocol, and shows one in detail', async () => {
    const { types } = await introspect({ query: 'types' });
    const names = (types as Data[]).map(({ name }) => name);
    for (const name of ['SemanticCategory', 'OperationResult', 'EndpointPermissions', 'Ship']) {
      expect(names).toContain(name);
    }
    expect(await introspect({ query: 'types', name: 'BookingStatus' })).toEqual({
      _protocol: IDENTITY,
      type: { name: 'BookingStatus', kind: 'enum', values: ['booked', 'arrived', 'left'] },
    });
    expect(await introspect({ query: 'types', name: 'Ship' })).toMatchObject({
      type: {
        kind: 'object',
        fields: [{ name: 'id', type: 'string', required: true }, {}, {}, {}],
      },
    });
  });

  it.each([
    [{ query: 'secrets' }, 'VALIDATION_INVALID_ENUM'],
    [{ nam: 'x' }, 'VALIDATION_UNKNOWN_PARAM'],
    [{ name: 'a', names: ['b'] }, 'VALIDATION_INVALID_QUERY'],
    [{ name: 'a', search: 'b' }, 'VALIDATION_INVALID_QUERY'],
    [{ names: [] }, 'VALIDATION_OUT_OF_RANGE'],
  ])('refuses %j', async (params, code) => {
    const desk = deskFor(createAdapterSource(await harbourAdapter()));
    expect((await desk.ask('read', { operation: 'introspect', params })).error?.code).toBe(code);
  });
});

describe('compact introspection', () => {
  it('A13: is the default, and a list (S8) that groups names by endpoint and by their first word', async () => {
    const { _protocol, operations } = await introspect({});
    expect(Object.keys(_protocol as object)).toHaveLength(4);
    expect(operations).toMatchObject([
      { endpoint: 'create' },
      { endpoint: 'read' },
      { endpoint: 'update', names: ['update_booking', 'set_berth_length'] },
      { endpoint: 'delete', names: ['delete_booking'] },
      { endpoint: 'execute', names: ['sound_horn', 'open_sluice'] },
    ]);
    expect(await introspect({ format: 'compact' })).toEqual(await introspect({}));
  });

  it('A13: searches by words in any order, across endpoints', async () => {
    const { operations } = await introspect({ search: 'ship to register', limit: 2 });
    const lines = Object.entries(operations as Readonly<Record<string, string>>);
    expect(lines).toHaveLength(2);
    expect(lines[0]).toEqual(['register_ship', expect.stringMatching(/^create\(/)]);
    expect(await introspect({ search: 'qwertz' })).toMatchObject({ operations: {} });
  });

  it('A13: counts names by noun if there are very many', async () => {
    const read = Array.from({ length: 301 }, (_, i) => ({
      name: `${i % 2 === 0 ? 'ships' : 'berths'}_list_${i}`,
      maps_to: 'GET /x',
    }));
    const desk = deskFor(createAdapterSource(adapterWith({ operations: { read } })));
    const { data } = await desk.ask('read', { operation: 'introspect' });
    expect(data).toMatchObject({ counts: { read: { ship: 151, berth: 150 } } });
    expect(JSON.stringify(data).length).toBeLessThan(400);
  });

  it('returns a line for each of several operations in one call', async () => {
    const { operations } = await introspect({
      names: ['create_booking', 'set_berth_length', 'update_booking', 'nobody'],
      format: 'compact',
    });
    expect(operations).toEqual({
      create_booking:
        'create(berth_id: string, ship_id: string, arrives: string(date-time)) — Books a berth for a ship.',
      set_berth_length:
        'update(berth_id: string, length_m: number 5..) — Sets the length of a berth.',
      update_booking:
        'update(booking_id: string, arrives?: string(date-time), status?: "booked"|"arrived"|"left") — Changes a booking.',
      nobody: null,
    });
  });

  it('can be filtered, limited and paged', async () => {
    expect(
      await introspect({ endpoint: 'update', fields: ['name'], limit: 1, offset: 1 }),
    ).toMatchObject({
      operations: [{ name: 'set_berth_length' }],
      pagination: { offset: 1, returned: 1, total_items: 2, has_more: false },
    });
  });

  it('uses the first sentence of a description, at most one line', () => {
    expect(firstSentence('Reads it. And more.')).toBe('Reads it.');
    expect(firstSentence('v1.2 of\n it')).toBe('v1.2 of it');
    expect(firstSentence('x'.repeat(1e6)).length).toBe(160);
  });
});
