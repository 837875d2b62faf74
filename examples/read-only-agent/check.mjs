/** A gateway that only reads: what may change something is not listed, and calls to it are denied, under any name. */

import assert from 'node:assert/strict';
import { existsSync } from 'node:fs';
import { fileURLToPath } from 'node:url';

import { Client } from '@modelcontextprotocol/client';
import { StdioClientTransport } from '@modelcontextprotocol/client/stdio';

import { untilListed } from '../until-listed.mjs';

const here = (path) => fileURLToPath(new URL(path, import.meta.url));
const bin = here('../../packages/cli/bin/callsign.cjs');
const config = here('callsign.json');

async function connect(...flags) {
  const client = new Client({ name: 'my-agent', version: '1.0.0' });
  const args = [bin, 'serve', '--config', config, ...flags];
  await client.connect(
    new StdioClientTransport({ command: process.execPath, args, env: process.env }),
  );
  return client;
}

const whole = await connect();
const all = await untilListed(whole, 'filesystem:write_file', 'memory:delete_entities');
await whole.close();

const agent = await connect('--read-only');
const tools = await untilListed(agent, 'filesystem:read_text_file', 'memory:read_graph');
const names = tools.map(({ name }) => name);
// Of a server with `trust: none`, only what the operator labels is left.
assert.deepEqual(
  names.filter((name) => name.startsWith('memory:')),
  ['memory:read_graph'],
);
assert.ok(tools.every(({ annotations }) => annotations?.readOnlyHint === true));

const path = here('files/notice.txt');
const read = await agent.callTool({ name: 'filesystem:read_text_file', arguments: { path } });
assert.equal(read.content[0].text, 'Look, and do not touch.\n');

const written = here('files/written.txt');
const change = (name) => agent.callTool({ name, arguments: { path: written, content: 'x' } });
const denied = await change('filesystem:write_file');
assert.equal(denied.isError, true);
assert.match(denied.content[0].text, /started with --read-only/);
for (const name of ['filesystem__write_file', 'write_file']) {
  await assert.rejects(change(name), /Tool not found|must be prefixed/);
}
assert.equal(existsSync(written), false);

await agent.close();
process.stdout.write(`${names.length} of ${all.length} tools only read, and are offered.\n`);
