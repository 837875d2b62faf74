/** Tests an adapter with a real MCP client, which checks every list and result against the protocol. */

import { hub, type Source, view } from '@callsign/core';
import { IDENTITY } from '@callsign/naming';
import { Client } from '@modelcontextprotocol/client';
import { InMemoryTransport, Server } from '@modelcontextprotocol/server';
import { describe, expect, it, onTestFinished } from 'vitest';

import { adapterWith } from '../../../../../test/adapters/adapters.js';
import { send } from '../../../../../test/adapters/desk.js';
import { harbourAdapter, openHarbour, TOKEN } from '../../../../../test/adapters/harbour.js';
import type { Adapter } from '../../adapter/adapter.js';
import { type AdapterSource, createAdapterSource } from '../../source/adapter-source.js';
import { checkConformance } from './check-conformance.js';

async function clientOf(source: Source): Promise<Client> {
  const server = new Server(
    { name: 'adapters', version: '1.0.0' },
    { capabilities: { tools: {} } },
  );
  server.setRequestHandler('tools/list', () => ({
    tools: source.offer.tool.map(({ json }) => JSON.parse(json) as never),
  }));
  server.setRequestHandler('tools/call', async ({ params }) => {
    const { json } = await send(source, params.name, params.arguments ?? {});
    return JSON.parse(json) as never;
  });
  const client = new Client({ name: 'a-client', version: '1.0.0' });
  const [near, far] = InMemoryTransport.createLinkedPair();
  await Promise.all([server.connect(far), client.connect(near)]);
  onTestFinished(() => client.close());
  return client;
}

async function adapterSource(adapter: Adapter): Promise<AdapterSource> {
  const harbour = await openHarbour();
  const source = createAdapterSource(adapter, {
    baseUrl: harbour.url,
    env: { HARBOUR_TOKEN: TOKEN },
  });
  onTestFinished(() => source.close());
  return source;
}

describe('a real MCP client', () => {
  it('sees the tools of two adapters, calls them by name, and reports no fault', async () => {
    const sources = {
      harbour: await adapterSource(await harbourAdapter()),
      mail: await adapterSource(adapterWith()),
    };
    const client = await clientOf(view(hub(sources), { profile: IDENTITY, titles: false }));
    const { tools } = await client.listTools();
    expect(tools.map(({ name }) => name)).toHaveLength(10);
    const result = await client.callTool({
      name: 'harbour_logbook_mcpaql_read',
      arguments: { operation: 'get_ship', params: { ship_id: 'ship-1', fields: ['name'] } },
    });
    expect(result.content).toEqual([
      { type: 'text', text: '{"success":true,"data":{"name":"Alba"}}' },
    ]);
  });

  it('finds that the harbour adapter follows the protocol', async () => {
    const client = await clientOf(await adapterSource(await harbourAdapter()));
    const report = await checkConformance({
      listTools: async () => (await client.listTools()).tools,
      callTool: (name, args) => client.callTool({ name, arguments: args }),
    });
    expect(report.summary).toEqual({ passed: report.checks.length, failed: 0, skipped: 0 });
  });
});
