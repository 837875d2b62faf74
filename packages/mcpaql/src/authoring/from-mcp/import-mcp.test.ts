import { readFileSync } from 'node:fs';

import fc from 'fast-check';
import { describe, expect, it } from 'vitest';

import { deskFor } from '../../../../../test/adapters/desk.js';
import { serverWith } from '../../../../../test/adapters/server.js';
import type { Adapter } from '../../adapter/adapter.js';
import { parseAdapter } from '../../adapter/parse-adapter.js';
import { createAdapterSource } from '../../source/adapter-source.js';
import type { ImportResult } from '../spec/import-report.js';
import { adapterFromMcp } from './import-mcp.js';

const recorded = (server: string): { name: string }[] =>
  (
    JSON.parse(
      readFileSync(
        new URL(`../../../../../test/recordings/${server}.json`, import.meta.url),
        'utf8',
      ),
    ) as { tools: { name: string }[] }
  ).tools;

function adapterIn(result: ImportResult): Adapter {
  const parsed = result.ok ? parseAdapter(result.adapter, 'a.md') : result;
  if (!('adapter' in parsed) || typeof parsed.adapter === 'string')
    throw new Error(JSON.stringify(result));
  return parsed.adapter;
}

const tool = (name: string, rest: object = {}) => ({
  name,
  inputSchema: { type: 'object' },
  ...rest,
});

it('V18: an imported adapter contains no invisible characters', () => {
  const hidden = 'Reads\u202E\u200B\u{E0041}\u3164 it.';
  const inputSchema = {
    type: 'object',
    properties: { a: { type: 'string', description: hidden } },
  };
  const result = adapterFromMcp(
    [tool('read', { description: hidden, title: hidden, inputSchema })],
    {
      server: 's',
      displayName: hidden,
    },
  );
  const text = JSON.stringify(result, (_, value: unknown) => value);
  expect(text).toContain('Reads⟨U+202E⟩⟨U+200B⟩⟨U+E0041⟩⟨U+3164⟩ it.');
  expect(text).not.toMatch(/[\u202E\u200B\u{E0041}\u3164]/u);
});

it('V18: hidden characters in names and values are escaped, and stay what they are', () => {
  const hidden = 'a\u202E\u200B\u{E0041}b';
  const inputSchema = {
    type: 'object',
    properties: {
      [hidden]: {
        type: 'object',
        properties: { [hidden]: { type: 'string', enum: [hidden, 'c'], default: hidden } },
      },
    },
  };
  const tools = [tool(hidden, { inputSchema })];
  const first = adapterFromMcp(tools, { server: 's' });
  const text = first.ok ? first.adapter : '';
  expect(text).toContain('a\\u202E\\u200B\\U000E0041b');
  const [operation] = adapterIn(first).operations.values();
  expect(operation?.mapsTo).toMatchObject({ name: hidden });
  expect(JSON.stringify([...operation!.params.values()])).toContain(hidden);
  // A second import patches the file, which an earlier version may have written.
  const raw = text.replaceAll('\\u202E', '\u202E').replaceAll('\\u200B', '\u200B');
  const second = adapterFromMcp([...tools, tool('get_x')], { server: 's', previous: raw });
  expect(adapterIn(second).operations.size).toBe(2);
  for (const written of [text, second.ok ? second.adapter : '']) {
    expect(written).not.toBe('');
    expect(written).not.toMatch(/[\u202E\u200B\u{E0041}]/u);
  }
});

describe('an official server as an adapter', () => {
  it.each(['everything', 'filesystem', 'memory', 'sequential-thinking'])(
    'every tool of %s is an operation',
    (server) => {
      const tools = recorded(server);
      const adapter = adapterIn(adapterFromMcp(tools, { server }));
      const sources = Array.from(
        adapter.operations.values(),
        ({ mapsTo }) => 'name' in mapsTo && mapsTo.name,
      );
      expect(sources.toSorted()).toEqual(tools.map(({ name }) => name).toSorted());
    },
  );

  it('is under the endpoint of its hints, with its dangers', () => {
    const adapter = adapterIn(adapterFromMcp(recorded('memory'), { server: 'memory' }));
    const where = (name: string) => {
      const { endpoint, danger, idempotent } = adapter.operations.get(name)!;
      return { endpoint, danger: danger.level, idempotent };
    };
    expect(where('create_entities')).toEqual({
      endpoint: 'create',
      danger: 'reversible',
      idempotent: false,
    });
    expect(where('delete_entities')).toEqual({
      endpoint: 'delete',
      danger: 'destructive',
      idempotent: true,
    });
    expect(where('open_nodes')).toEqual({ endpoint: 'read', danger: 'safe', idempotent: true });
  });

  it('an untrusted server cannot declare its own tools harmless', () => {
    const tools = [tool('polish', { annotations: { readOnlyHint: true } })];
    const endpointOf = (result: ImportResult) => result.report.operations[0]?.endpoint;
    expect(endpointOf(adapterFromMcp(tools, { server: 'x1' }))).toBe('read');
    expect(endpointOf(adapterFromMcp(tools, { server: 'x1', trust: 'none' }))).toBe('execute');
    const endpoints = new Map([['polish', 'update'] as const]);
    expect(endpointOf(adapterFromMcp(tools, { server: 'x1', trust: 'none', endpoints }))).toBe(
      'update',
    );
  });

  it('calls the tool under its own name, with its own parameters', async () => {
    const schema = {
      type: 'object',
      required: ['shipName'],
      properties: { shipName: { $ref: '#/$defs/Name' }, fast: { type: ['boolean', 'null'] } },
      $defs: { Name: { type: 'string', minLength: 2 } },
    };
    const tools = [tool('getShip', { inputSchema: schema, annotations: { readOnlyHint: true } })];
    const upstream = serverWith(tools, () => ({
      ok: true,
      json: '{"content":[{"type":"text","text":"7"}]}',
    }));
    const adapter = adapterIn(adapterFromMcp(tools, { server: 'harbour' }));
    const desk = deskFor(createAdapterSource(adapter, { upstream: upstream.source }));
    const params = { ship_name: 'Alba', fast: null };
    expect(await desk.ask('read', { operation: 'get_ship', params })).toEqual({
      success: true,
      data: 7,
    });
    expect(upstream.received[0]).toContain(
      '"name":"getShip","arguments":{"shipName":"Alba","fast":null}',
    );
    const short = await desk.ask('read', { operation: 'get_ship', params: { ship_name: 'A' } });
    expect(short.error?.code).toBe('VALIDATION_OUT_OF_RANGE');
  });
});

describe('importing again', () => {
  it('keeps a person’s choices, and adds new tools', () => {
    const first = adapterFromMcp([tool('polish'), tool('get_x')], { server: 'srv' });
    const text = first.ok ? first.adapter : '';
    expect(text).toContain('level: generated');
    const byHand = text
      .replace('name: polish', 'name: polish_brass')
      .replace('level: generated', 'level: validated');
    const second = adapterFromMcp([tool('polish', { description: 'Polishes' }), tool('get_y')], {
      server: 'srv',
      previous: byHand,
    });
    const adapter = adapterIn(second);
    expect([...adapter.operations.keys()].toSorted()).toEqual(['get_x', 'get_y', 'polish_brass']);
    expect(adapter.operations.get('polish_brass')?.description).toBe('Polishes');
    expect(adapter.trust).toBe('validated');
    expect(second.report.findings.filter(({ kind }) => kind === 'removed')).toHaveLength(1);
  });
});

describe('tools of all kinds', () => {
  it('that are invalid are reported with their place', () => {
    const { report } = adapterFromMcp([null, { name: 'two words' }, 7, tool('get_x')], {
      server: 'srv',
    });
    expect(report.findings.map(({ kind, pointer }) => `${kind} ${pointer}`)).toEqual([
      'left-out #/tools/0',
      'left-out #/tools/1',
      'left-out #/tools/2',
    ]);
  });

  it('are imported or reported, and the adapter loads', () => {
    const schema = fc.oneof(
      fc.jsonValue({ maxDepth: 4 }),
      fc.record({
        type: fc.constant('object'),
        properties: fc.dictionary(fc.string(), fc.jsonValue({ maxDepth: 3 }), { maxKeys: 4 }),
        required: fc.array(fc.string(), { maxLength: 2 }),
      }),
    );
    const anyTool = fc.record(
      {
        name: fc.string({ minLength: 1, maxLength: 20 }),
        description: fc.string(),
        inputSchema: schema,
        annotations: fc.oneof(
          fc.jsonValue({ maxDepth: 2 }),
          fc.record({ readOnlyHint: fc.boolean(), destructiveHint: fc.boolean() }),
        ),
      },
      { requiredKeys: ['name'] },
    );
    const tools = fc.uniqueArray(anyTool, { maxLength: 5, selector: ({ name }) => name });
    fc.assert(
      fc.property(tools, (list) => {
        const result = adapterFromMcp(list, { server: 'srv' });
        const landed = new Set(result.report.operations.map(({ source }) => source));
        const reported = new Set(result.report.findings.map(({ pointer }) => pointer));
        for (const [i, { name }] of list.entries()) {
          expect(landed.has(`tool:${name}`) || reported.has(`#/tools/${i}`)).toBe(true);
        }
        if (landed.size > 0) expect(adapterIn(result).operations.size).toBe(landed.size);
        expect(adapterFromMcp(list, { server: 'srv' })).toEqual(result);
      }),
      { numRuns: 150 },
    );
  });
});
