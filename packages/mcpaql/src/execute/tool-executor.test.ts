import type { Reply } from '@callsign/core';
import { describe, expect, it } from 'vitest';

import { createAdapterSource } from '../source/adapter-source.js';
import { adapterWith } from '../../../../test/adapters/adapters.js';
import { type Desk, deskFor } from '../../../../test/adapters/desk.js';
import { serverWith } from '../../../../test/adapters/server.js';

const ISSUE = {
  name: 'create_issue',
  maps_to: 'tool:createIssue',
  params: { repo_name: { type: 'string', required: true, as: 'repoName' } },
};

function deskOver(answer: Reply, operation: object = ISSUE) {
  const server = serverWith([{ name: 'createIssue' }], () => answer);
  const target = { transport: 'mcp', server: 'github' };
  const adapter = adapterWith({ target, operations: { create: [operation] } });
  return { server, desk: deskFor(createAdapterSource(adapter, { upstream: server.source })) };
}

const ask = (desk: Desk) =>
  desk.ask('create', { operation: 'create_issue', params: { repo_name: 'r' } });

const result = (value: unknown): Reply => ({ ok: true, json: JSON.stringify(value) });

describe('a tool of a server as an operation', () => {
  it('is called under its own name, with its own parameter names', async () => {
    const { desk, server } = deskOver(result({ content: [{ type: 'text', text: 'done' }] }));
    expect(await ask(desk)).toEqual({ success: true, data: 'done' });
    expect(server.received).toEqual(['{"name":"createIssue","arguments":{"repoName":"r"}}']);
  });

  it.each<[string, Reply, unknown]>([
    [
      'its structured content',
      result({ content: [], structuredContent: { a: 1 } }),
      { data: { a: 1 } },
    ],
    [
      'its text, read as JSON',
      result({ content: [{ type: 'text', text: '{"a":1}' }] }),
      { data: { a: 1 } },
    ],
    [
      'all of several contents',
      result({ content: [{ type: 'text' }, { type: 'image' }] }),
      { data: { content: [{}, {}] } },
    ],
    [
      'its own failure',
      result({ content: [{ type: 'text', text: 'no' }], isError: true }),
      { error: { code: 'UPSTREAM_TOOL_ERROR', message: 'no' } },
    ],
    [
      'a refusal of the server',
      { ok: false, json: '{"code":-32602,"message":"bad"}' },
      { error: { code: 'UPSTREAM_TOOL_ERROR', message: 'bad' } },
    ],
  ])('answers %s', async (_, reply, expected) => {
    expect(await ask(deskOver(reply).desk)).toMatchObject(expected as object);
  });

  it('is reported if the tool or the server is missing', async () => {
    const { desk } = deskOver(result({}), { ...ISSUE, maps_to: 'tool:gone' });
    expect((await ask(desk)).error?.message).toContain("no tool 'gone'");
    const target = { transport: 'mcp', server: 'github' };
    const alone = createAdapterSource(adapterWith({ target, operations: { create: [ISSUE] } }));
    expect((await ask(deskFor(alone))).error?.message).toContain(
      "The server 'github' is not available",
    );
  });
});
