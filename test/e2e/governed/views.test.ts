import { join } from 'node:path';

import { describe, expect, it } from 'vitest';

import {
  eventually,
  plain,
  startGateway,
  temporaryFolder,
  writeConfig,
} from '../gateway-process.js';
import { readerOf } from '../../../packages/audit/src/testing/audit-rows.js';
import { textOf } from '../lifecycle/tool-results.js';

const annotations = {
  'kid:add': { preset: 'READ_ONLY_DEFAULT' },
  'kid:echo': { preset: 'WRITE_DESTRUCTIVE' },
};

describe('a server seen through a view', () => {
  it('is five tools by effect, and policy and records see the tool behind them (S2)', async () => {
    const folder = join(temporaryFolder(), 'audit');
    const settings = {
      servers: { kid: { view: 'crude' } },
      annotations,
      audit: { folder },
      policy: { destructive: 'allow', rules: [{ match: 'kid:pid', decision: 'deny' }] },
    };
    const gateway = await startGateway({ servers: { kid: plain(), flat: plain() }, settings });
    const client = await gateway.connect();
    const tools = await client.tools();
    const own = tools.filter((name) => name.startsWith('kid:'));
    expect(own.length).toBeLessThanOrEqual(5);
    expect(own).toContain('kid:mcpaql_read');
    expect(tools).toContain('flat:echo');
    const added = await client.call('kid:mcpaql_read', {
      operation: 'add',
      params: { a: 20, b: 22 },
    });
    expect(added.result!['structuredContent']).toEqual({ sum: 42 });
    const denied = await client.call('kid:mcpaql_execute', { operation: 'pid', params: {} });
    expect(JSON.stringify(denied)).not.toContain('"pid":');
    expect(denied.result).toMatchObject({ isError: true });
    expect(JSON.stringify(denied.result)).toContain('policy.rules[0] (deny kid:pid)');
    const wrong = await client.call('kid:mcpaql_read', { operation: 'echo', params: {} });
    expect(JSON.stringify(wrong.result)).toContain('kid:mcpaql_execute');
    gateway.endInput();
    await gateway.exited;
    const records = await readerOf(folder).list({ limit: 100 });
    expect(records.filter(({ kind }) => kind === 'call')).toMatchObject([
      { tool: 'kid:add', outcome: 'ok', risk: 'read' },
      { tool: 'kid:pid', outcome: 'policy-denied', decision: 'deny' },
    ]);
  });

  it('is two tools that find and call, and resources stay what they are', async () => {
    const settings = { servers: { kid: { view: 'search' } }, annotations };
    const gateway = await startGateway({ servers: { kid: plain() }, settings });
    const client = await gateway.connect();
    expect(await client.tools()).toEqual(['kid:find', 'kid:call']);
    const found = await client.call('kid:find', { query: 'add numbers' });
    expect(textOf(found.result)).toContain('add');
    const { result } = await client.call('kid:call', { operation: 'add', params: { a: 1, b: 2 } });
    expect(result!['structuredContent']).toEqual({ sum: 3 });
    const read = await client.request('resources/read', { uri: 'plain://static' });
    expect(read.result).toBeDefined();
    const list = await client.request('prompts/list', {});
    expect(JSON.stringify(list.result)).toContain('kid:greet');
  });

  it('can be changed while it runs', async () => {
    const servers = { kid: plain() };
    const gateway = await startGateway({ servers });
    const client = await gateway.connect();
    expect(await client.tools()).toContain('kid:echo');
    const settings = { servers: { kid: { view: 'search' } } };
    writeConfig({ servers, settings }, gateway.mark, gateway.config);
    await eventually(async () => (await client.tools()).length === 2);
    writeConfig({ servers }, gateway.mark, gateway.config);
    await eventually(async () => (await client.tools()).includes('kid:echo'));
    expect((await client.call('kid:add', { a: 1, b: 2 })).error).toBeUndefined();
  });
});

describe('all servers seen through a search', () => {
  it('D10: are two tools, and calls are calls of the tool itself', async () => {
    const folder = join(temporaryFolder(), 'audit');
    const settings = {
      view: 'search',
      servers: { five: { view: 'crude' } },
      annotations,
      audit: { folder },
      policy: { destructive: 'allow', rules: [{ match: 'kid:pid', decision: 'deny' }] },
    };
    const servers = { kid: plain(), five: plain() };
    const gateway = await startGateway({ servers, settings });
    const client = await gateway.connect();
    expect(await client.tools()).toEqual(['callsign:find', 'callsign:call']);
    const list = JSON.stringify((await client.request('tools/list', {})).result);
    expect(list).toMatch(/Kid \(\d+\), Five \(\d+\)/);
    const all = await client.call('callsign:find', { query: '' });
    expect(JSON.parse(textOf(all.result))).toMatchObject({
      servers: { kid: expect.any(Number) as number, five: expect.any(Number) as number },
    });
    const found = JSON.parse(
      textOf((await client.call('callsign:find', { query: 'add numbers' })).result),
    ) as { operations: string[] };
    expect(found.operations[0]).toMatch(/^(?:kid|five):add\(/);
    // A server with a view of its own is searched by its own tools.
    expect(JSON.stringify(found)).toContain('five:add(');
    expect(JSON.stringify(found)).not.toContain('mcpaql');
    const call = (operation: string, params: object) =>
      client.call('callsign:call', { operation, params });
    expect((await call('kid:add', { a: 20, b: 22 })).result!['structuredContent']).toEqual({
      sum: 42,
    });
    expect((await call('five:add', { a: 1, b: 2 })).result!['structuredContent']).toEqual({
      sum: 3,
    });
    const denied = await call('kid:pid', {});
    expect(denied.result).toMatchObject({ isError: true });
    expect(JSON.stringify(denied)).toContain('policy.rules[0] (deny kid:pid)');
    expect(JSON.stringify(denied)).not.toContain('"pid":');
    // Prompts and resources are unchanged.
    const prompts = await client.request('prompts/list', {});
    expect(JSON.stringify(prompts.result)).toContain('kid:greet');
    gateway.endInput();
    await gateway.exited;
    const records = await readerOf(folder).list({ limit: 100 });
    const own = records.filter(({ kind }) => kind === 'call');
    expect(own.map((record) => 'tool' in record && record.tool).toSorted()).toEqual([
      'five:add',
      'kid:add',
      'kid:pid',
    ]);
  });

  it('D10: can be chosen and left while it runs', async () => {
    const servers = { kid: plain() };
    const gateway = await startGateway({ servers });
    const client = await gateway.connect();
    expect(await client.tools()).toContain('kid:echo');
    writeConfig({ servers, settings: { view: 'search' } }, gateway.mark, gateway.config);
    await eventually(async () => (await client.tools()).includes('callsign:find'));
    expect(await client.tools()).toHaveLength(2);
    writeConfig({ servers }, gateway.mark, gateway.config);
    await eventually(async () => (await client.tools()).includes('kid:echo'));
    expect(await client.tools()).not.toContain('callsign:find');
  });
});
