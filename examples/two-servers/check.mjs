/** Two servers behind one endpoint: listed together, called by name, under the names that a client accepts. */

import assert from 'node:assert/strict';
import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';

import { Client } from '@modelcontextprotocol/client';
import { StdioClientTransport } from '@modelcontextprotocol/client/stdio';

import { untilListed } from '../until-listed.mjs';

const here = (path) => fileURLToPath(new URL(path, import.meta.url));
const folder = await mkdtemp(join(tmpdir(), 'callsign-'));
const command = {
  command: process.execPath,
  args: [here('../../packages/cli/bin/callsign.cjs'), 'serve', '--config', here('callsign.json')],
  env: { ...process.env, TMPDIR: folder },
};

/** A client that announces itself by this name. */
async function connect(name) {
  const client = new Client({ name, version: '1.0.0' });
  await client.connect(new StdioClientTransport(command));
  return client;
}

// An unknown client sees the canonical names.
const agent = await connect('my-agent');
const tools = await untilListed(agent, 'filesystem:read_text_file', 'memory:read_graph');
const names = tools.map(({ name }) => name);
assert.ok(names.every((name) => /^(filesystem|memory):/.test(name)));

const path = here('files/harbour.txt');
const read = await agent.callTool({ name: 'filesystem:read_text_file', arguments: { path } });
assert.equal(read.content[0].text, 'Argo lies at berth 3.\n');

const entities = [{ name: 'Argo', entityType: 'ship', observations: ['lies at berth 3'] }];
await agent.callTool({ name: 'memory:create_entities', arguments: { entities } });
const graph = await agent.callTool({ name: 'memory:read_graph', arguments: {} });
assert.match(graph.content[0].text, /lies at berth 3/);

// A wrong name is answered with a suggestion.
await assert.rejects(
  agent.callTool({ name: 'filesytem:read_text_file', arguments: { path } }),
  /Tool not found: filesytem:read_text_file\nDid you mean: filesystem:read_text_file\?/,
);
await agent.close();

// Claude Desktop refuses colons, so it sees other names. The canonical name still works.
const desktop = await connect('claude-ai');
const listed = await untilListed(desktop, 'filesystem__read_text_file');
assert.ok(listed.every(({ name }) => /^[a-zA-Z0-9_-]{1,64}$/.test(name)));
for (const name of ['filesystem__read_text_file', 'filesystem:read_text_file']) {
  const again = await desktop.callTool({ name, arguments: { path } });
  assert.equal(again.content[0].text, 'Argo lies at berth 3.\n');
}
await desktop.close();

await rm(folder, { recursive: true });
process.stdout.write(`${names.length} tools of two servers answer through one endpoint.\n`);
