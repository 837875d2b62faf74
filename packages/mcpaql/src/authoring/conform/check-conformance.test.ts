import type { Source } from '@callsign/core';
import { describe, expect, it } from 'vitest';

import { adapterWith } from '../../../../../test/adapters/adapters.js';
import { send } from '../../../../../test/adapters/desk.js';
import { harbourDesk } from '../../../../../test/adapters/harbour.js';
import { createAdapterSource } from '../../source/adapter-source.js';
import { checkConformance } from './check-conformance.js';
import type { ListedTool, ToolClient } from './checked-server.js';

const clientOf = (source: Source): ToolClient => ({
  listTools: async () => source.offer.tool.map(({ json }) => JSON.parse(json) as ListedTool),
  callTool: async (name, args) => JSON.parse((await send(source, name, args)).json) as unknown,
});

const failed = async (client: ToolClient) => {
  const { checks } = await checkConformance(client);
  return checks.filter(({ outcome }) => outcome === 'failed').map(({ id }) => id);
};

describe('the check of a live server', () => {
  it('passes our own adapter, and changes nothing at its target', async () => {
    const { desk, harbour } = await harbourDesk();
    const report = await checkConformance(clientOf(desk.source));
    expect(report.checks.filter(({ outcome }) => outcome !== 'passed')).toEqual([]);
    expect(report.conforms).toBe(true);
    expect(harbour.requests).toEqual([]);
  });

  it.each([
    ['the bare pattern', { tool_names: { pattern: 'mcpaql_{endpoint}' } }],
    ['a long name', { name: 'a'.repeat(64) }],
    ['one operation', { operations: { read: [{ name: 'a', maps_to: 'GET /' }] } }],
  ])('recognizes the names of an adapter with %s', async (_, changes) => {
    const source = createAdapterSource(adapterWith(changes));
    const { conforms, tools } = await checkConformance(clientOf(source));
    expect(conforms).toBe(true);
    expect(tools).toHaveLength(source.offer.tool.length);
  });

  it('finds labels that are missing or wrong', async () => {
    const client = clientOf(createAdapterSource(adapterWith()));
    const relabelled = (change: (tool: ListedTool) => ListedTool): ToolClient => ({
      ...client,
      listTools: async () => (await client.listTools()).map(change),
    });
    expect(await failed(relabelled((tool) => ({ ...tool, annotations: {} })))).toEqual([
      'title',
      'hint-read-only',
      'hint-destructive',
      'hint-idempotent',
      'hint-open-world',
    ]);
    expect(await failed(relabelled((tool) => ({ ...tool, title: 'Mail' })))).toEqual(['title']);
    expect(await failed(relabelled((tool) => ({ ...tool, description: '' })))).toEqual([
      'description',
    ]);
  });

  it('finds a server that answers everything with success', async () => {
    const client = clientOf(createAdapterSource(adapterWith()));
    const text = JSON.stringify({ success: true, data: {} });
    const eager = { ...client, callTool: async () => ({ content: [{ type: 'text', text }] }) };
    expect(await failed(eager)).toEqual([
      'introspect-list',
      'introspect-identity',
      'introspect-types',
      'introspect-unknown',
      'unknown-operation',
      'missing-operation',
    ]);
  });

  it('reports a server without such tools', async () => {
    const report = await checkConformance({
      listTools: async () => [],
      callTool: async () => ({}),
    });
    expect(report.conforms).toBe(false);
    expect(report.summary).toMatchObject({ passed: 0, failed: 1 });
  });
});
