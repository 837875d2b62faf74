/** The official SDK's client at our door, with names as the convention writes them. */

import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';

import { Client } from '@modelcontextprotocol/client';
import { StdioClientTransport } from '@modelcontextprotocol/client/stdio';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';

import { ROOT } from '../../architecture/tree.js';
import { shows } from '../../requirements/shows.js';

const folder = mkdtempSync(join(tmpdir(), 'callsign-client-'));
const child = join(ROOT, 'test/fixtures/plain-child.mjs');
const client = new Client({ name: 'somebody', version: '1.0.0' });

beforeAll(async () => {
  const config = {
    mcpServers: {
      filesystem: { command: 'node', args: [child] },
      postgres: { command: 'node', args: [child] },
    },
  };
  writeFileSync(join(folder, 'callsign.json'), JSON.stringify(config));
  const args = [
    join(ROOT, 'packages/cli/bin/callsign.mjs'),
    'serve',
    '--config',
    join(folder, 'callsign.json'),
  ];
  await client.connect(new StdioClientTransport({ command: process.execPath, args }));
}, 30_000);

afterAll(async () => {
  await client.close();
  rmSync(folder, { recursive: true });
});

describe('the official client', () => {
  it(
    'lists and calls names with a colon',
    shows('AGG-38', 'AGG-50', async () => {
      const { tools } = await client.listTools();
      const named = (name: string) => tools.find((tool) => tool.name === name);
      for (const name of ['filesystem:echo', 'postgres:echo']) {
        expect(named(name)).toMatchObject({
          description: 'Returns its arguments, to the letter.',
          inputSchema: { type: 'object' },
        });
      }
      const { content } = await client.callTool({
        name: 'postgres:add',
        arguments: { a: 2, b: 3 },
      });
      expect(content).toMatchObject([{ type: 'text', text: expect.stringContaining('5') }]);
    }),
  );

  it.each([
    ['without a prefix', 'echo', 'Tool name must be prefixed with server key: echo'],
    ['with an empty key', ':echo', 'Invalid tool name format: :echo'],
    ['with an empty tool', 'postgres:', 'Invalid tool name format: postgres:'],
    [
      'that nobody has',
      'postgres:eco',
      'Tool not found: postgres:eco\nDid you mean: postgres:echo',
    ],
  ])(
    'gets a JSON-RPC error for a name %s',
    shows('AGG-26', 'AGG-27', 'AGG-28', async (_: string, name: string, message: string) => {
      const call = client.callTool({ name, arguments: {} });
      await expect(call).rejects.toMatchObject({
        code: -32602,
        message: expect.stringContaining(message),
      });
    }),
  );
});
