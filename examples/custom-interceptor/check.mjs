/** The gateway of this folder: names and answers as ever, and both interceptors at work. */

import assert from 'node:assert/strict';
import { text } from 'node:stream/consumers';
import { fileURLToPath } from 'node:url';

import { Client } from '@modelcontextprotocol/client';
import { StdioClientTransport } from '@modelcontextprotocol/client/stdio';

const here = (path) => fileURLToPath(new URL(path, import.meta.url));
const client = new Client({ name: 'my-agent', version: '1.0.0' });
const transport = new StdioClientTransport({
  command: process.execPath,
  args: [here('gateway.mjs')],
  stderr: 'pipe',
});
const printed = text(transport.stderr);
await client.connect(transport);
const read = (path) =>
  client.callTool({ name: 'letters:read_text_file', arguments: { path: here(path) } });

const open = await read('files/open.txt');
assert.equal(open.content[0].text, 'Arrived safely. Argo\n');

const sealed = await read('files/sealed.txt');
assert.equal(sealed.isError, true);
assert.equal(sealed.content[0].text, 'Sealed letters stay shut.');

await client.close();
const said = await printed;
// The stopwatch is the outer interceptor, so it has seen the refusal too. The label is the server's claim.
assert.equal(said.match(/^letters:read_text_file read true \d+ ms$/gm)?.length, 2, said);
process.stdout.write('Both interceptors did their work.\n');
