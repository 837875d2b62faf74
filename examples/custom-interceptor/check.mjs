/** The module refuses, logs, and leaves the rest of the gateway as it is; one source is served without a hub. */

import assert from 'node:assert/strict';
import { text } from 'node:stream/consumers';
import { fileURLToPath } from 'node:url';

import { Client } from '@modelcontextprotocol/client';
import { StdioClientTransport } from '@modelcontextprotocol/client/stdio';

const here = (path) => fileURLToPath(new URL(path, import.meta.url));

/** A client of a command, and what the command prints on standard error. */
async function connect(...args) {
  const transport = new StdioClientTransport({ command: process.execPath, args, stderr: 'pipe' });
  const printed = text(transport.stderr);
  const client = new Client({ name: 'my-agent', version: '1.0.0' });
  await client.connect(transport);
  return { client, printed };
}

const { client, printed } = await connect(
  here('../../packages/cli/bin/callsign.cjs'),
  'serve',
  '--verbose',
  '--config',
  here('callsign.json'),
);
const read = (path) =>
  client.callTool({ name: 'letters:read_text_file', arguments: { path: here(path) } });

const open = await read('files/open.txt');
assert.equal(open.content[0].text, 'Arrived safely. Argo\n');

const sealed = await read('files/sealed.txt');
assert.equal(sealed.isError, true);
assert.equal(sealed.content[0].text, 'Letters that are sealed stay shut.');

await client.close();
const said = await printed;
// Observers hear how every call ends. The module's own refusal is a tool error to them.
assert.match(said, /letters:read_text_file ok \d+ ms/, said);
assert.match(said, /letters:read_text_file tool-error \d+ ms/, said);

const single = await connect(here('single-source.mjs'));
const { tools } = await single.client.listTools();
assert.deepEqual(
  tools.map(({ name }) => name),
  ['hello'],
);
const hello = await single.client.callTool({ name: 'hello', arguments: {} });
assert.equal(hello.content[0].text, 'Hello from one source.');
await single.client.close();

process.stdout.write('The module did its work.\n');
