import { CallsignError, Hub, View } from '@callsign/core';
import { ENDPOINTS } from '@callsign/effects';
import { IDENTITY } from '@callsign/naming';
import { describe, expect, it } from 'vitest';

import { adapterWith, documentOf } from '../../../../test/adapters/adapters.js';
import { callOf, CALLER, deskFor, envelopeIn } from '../../../../test/adapters/desk.js';
import { harbourDesk } from '../../../../test/adapters/harbour.js';
import { shows } from '../../../../test/requirements/shows.js';
import { createAdapterSource } from './adapter-source.js';

interface Listed {
  readonly name: string;
  readonly title: string;
  readonly description: string;
  readonly annotations: Readonly<Record<string, unknown>>;
}

const listOf = (changes: Record<string, unknown> = {}) =>
  deskFor(createAdapterSource(adapterWith(changes))).list() as unknown as Listed[];

const NATIVE = {
  target: { transport: 'native', module: './m.mjs' },
  operations: Object.fromEntries(
    ENDPOINTS.map((endpoint) => [endpoint, [{ name: `${endpoint}_it`, maps_to: 'function:f' }]]),
  ),
};

describe('the label of each tool', () => {
  it(
    'is complete: a title in both places and all four hints',
    shows('AQL-22', 'AQL-23', 'AQL-26', () => {
      for (const { title, annotations } of listOf()) {
        expect(annotations['title']).toBe(title);
        expect(Object.keys(annotations).toSorted()).toEqual([
          'destructiveHint',
          'idempotentHint',
          'openWorldHint',
          'readOnlyHint',
          'title',
        ]);
      }
    }),
  );

  it('names the adapter and the endpoint, with an em dash', () => {
    expect(listOf().map(({ title }) => title)).toEqual([
      'Apple Mail — Create',
      'Apple Mail — Read',
      'Apple Mail — Update',
      'Apple Mail — Delete',
      'Apple Mail — Execute',
    ]);
    expect(listOf({ display_name: 'My Post' })[0]?.title).toBe('My Post — Create');
  });

  it.each([
    ['create', false, false, false],
    ['read', true, false, true],
    ['update', false, false, true],
    ['delete', false, true, false],
    ['execute', false, true, false],
  ])('of %s is readOnly %s, destructive %s, idempotent %s', (endpoint, ...hints) => {
    const label = (changes?: Record<string, unknown>) =>
      listOf(changes)[ENDPOINTS.indexOf(endpoint as 'read')]!.annotations;
    const { readOnlyHint, destructiveHint, idempotentHint, openWorldHint } = label();
    expect([readOnlyHint, destructiveHint, idempotentHint]).toEqual(hints);
    expect(openWorldHint).toBe(true);
    expect(label(NATIVE)['openWorldHint']).toBe(false);
  });

  it('of update is destructive if any operation is declared so, and idempotent only if all are', () => {
    const update = (...operations: object[]) =>
      listOf({ operations: { update: operations } })[1]!.annotations;
    const put = { name: 'put_it', maps_to: 'PUT /x' };
    const patch = { name: 'patch_it', maps_to: 'PATCH /x' };
    expect(update(put, patch)).toMatchObject({ destructiveHint: false, idempotentHint: false });
    expect(update(put, { ...patch, non_idempotent: false })).toMatchObject({
      idempotentHint: true,
    });
    expect(update(put, { ...patch, danger_level: 'destructive' })).toMatchObject({
      destructiveHint: true,
    });
  });

  it('is always on READ, and on other endpoints with operations', () => {
    const { operations } = documentOf() as { operations: Record<string, unknown> };
    const names = listOf({ operations: { delete: operations['delete'] } }).map(({ name }) => name);
    expect(names).toEqual(['apple_mail_mcpaql_read', 'apple_mail_mcpaql_delete']);
  });

  it('comes with a description that names introspection first, then the operations', () => {
    const [create, read] = listOf();
    expect(read?.description).toMatch(/"operation":"introspect".* Operations: list_letters$/);
    // A gateway may change the names of tools, so no description contains one: every tool accepts introspect.
    expect(create?.description).toMatch(/introspect\. Operations: create_draft$/);
    expect(create?.description).not.toContain('mcpaql');
  });

  it('has a limited length', () => {
    const read = Array.from({ length: 500 }, (_, i) => ({
      name: `get_thing_${i}`,
      maps_to: 'GET /',
    }));
    const { description } = listOf({ operations: { read } })[0]!;
    expect(description.length).toBeLessThanOrEqual(1024);
    expect(description).toMatch(/and \d+ more; search for them$/);
  });
});

describe('an adapter in a hub', () => {
  it('keeps its names and titles if it is the only one', () => {
    const { adapter, ...source } = createAdapterSource(adapterWith());
    const hub = new Hub({
      displayName: () => adapter.displayName,
      label: () => ({ trust: 'full' }),
    });
    hub.set(adapter.name, source);
    const view = new View(hub, { profile: IDENTITY });
    expect(view.offer.tool.map(({ json }) => JSON.parse(json) as unknown)).toEqual(
      source.offer.tool.map(({ json }) => JSON.parse(json) as unknown),
    );
    expect(view.route('tool', 'apple_mail_mcpaql_read')).toBeDefined();
    expect(hub.entry('tool', 'apple-mail:apple_mail_mcpaql_delete')?.risk).toBe('destructive');
    view.close();
  });
});

describe('the old names', () => {
  it('are offered if the file asks for them, with a warning', async () => {
    const { toolNames } = adapterWith({ tool_names: { legacy: true } });
    const { desk, harbour } = await harbourDesk({ toolNames });
    expect(desk.list().map(({ name }) => name)).toContain('mcp_aql_read');
    const answer = await desk.ask('mcp_aql_read', {
      operation: 'get_ship',
      params: { ship_id: 'ship-1' },
    });
    expect(answer).toMatchObject({
      success: true,
      data: { name: 'Alba' },
      warnings: [
        {
          code: 'DEPRECATION_WARNING',
          message: expect.stringContaining('harbour_logbook_mcpaql_read'),
        },
      ],
    });
    const again = await desk.ask('harbour_logbook_mcpaql_read', {
      operation: 'get_ship',
      params: { ship_id: 'ship-1' },
    });
    expect(again.warnings).toBeUndefined();
    expect(harbour.requests).toHaveLength(2);
  });
});

describe('the harbour', () => {
  it('is read, extended, changed and run through its five tools', async () => {
    const { desk } = await harbourDesk();
    const ship = await desk.ask('create', {
      operation: 'register_ship',
      params: { name: 'Freya', flag: 'IS' },
    });
    expect(ship).toMatchObject({ success: true, data: { id: 'ship-6', name: 'Freya' } });
    const booking = await desk.ask('create', {
      operation: 'create_booking',
      params: { berth_id: 'b3', ship_id: 'ship-6', arrives: '2026-06-01T00:00:00Z' },
    });
    expect(booking).toMatchObject({ data: { id: 'booking-4', ship_id: 'ship-6' } });
    const changed = await desk.ask('update', {
      operation: 'update_booking',
      params: { booking_id: 'booking-4', input: { status: 'arrived' } },
    });
    expect(changed).toMatchObject({ data: { id: 'booking-4', status: 'arrived' } });
    const horn = await desk.ask('execute', {
      operation: 'sound_horn',
      params: { ship_id: 'ship-6' },
    });
    expect(horn).toEqual({ success: true, data: { heard: 'Freya: Tuut!' } });
  });

  it('answers with the envelope as text, and marks every failure', async () => {
    const { desk } = await harbourDesk();
    const read = desk.source.route('tool', desk.tool('read'))!;
    const ask = async (args: object) =>
      JSON.parse(
        (await read.send(callOf(JSON.stringify({ name: 'x', arguments: args })))).json,
      ) as {
        content: { type: string; text: string }[];
        isError?: boolean;
      };
    const good = await ask({ operation: 'list_berths' });
    expect(good.isError).toBeUndefined();
    expect(good.content).toHaveLength(1);
    expect(JSON.parse(good.content[0]!.text)).toMatchObject({ success: true });
    expect((await ask({ operation: 'get_ship', params: { ship_id: 'nobody' } })).isError).toBe(
      true,
    );
  });

  it('is not called after its caller has cancelled', async () => {
    const { desk, harbour } = await harbourDesk();
    const name = desk.tool('read');
    const call = callOf(JSON.stringify({ name, arguments: { operation: 'list_berths' } }));
    call.context.cancel();
    await expect(desk.source.route('tool', name)!.send(call)).rejects.toThrow(CallsignError);
    expect(harbour.requests).toEqual([]);
  });

  it('never shows its token', async () => {
    const { desk } = await harbourDesk({}, { env: { HARBOUR_TOKEN: 'a-wrong-token-42' } });
    const answer = await desk.ask('read', { operation: 'list_berths' });
    expect(answer.error).toMatchObject({
      code: 'PERMISSION_DENIED',
      details: { http_status: 401 },
    });
    expect(JSON.stringify(answer)).not.toContain('a-wrong-token-42');
    const without = await harbourDesk({}, { env: {} });
    expect((await without.desk.ask('read', { operation: 'list_berths' })).error).toMatchObject({
      code: 'AUTH_CREDENTIAL_MISSING',
      message: expect.stringContaining('HARBOUR_TOKEN'),
    });
  });

  it('treats arguments that are not an object as a request without an operation', async () => {
    const { desk } = await harbourDesk();
    for (const args of [[], 'x', 5, null, {}]) {
      const route = desk.source.route('tool', desk.tool('read'))!;
      const params = JSON.stringify({ name: 'x', arguments: args });
      expect(envelopeIn(await route.send(callOf(params, CALLER)))).toMatchObject({
        success: false,
        error: { code: 'VALIDATION_MISSING_PARAM' },
      });
    }
  });
});
