/** Starts the server, holds its labels against the linters, and calls its tools; ends with 0 if all is well. */

import assert from 'node:assert/strict';
import { fileURLToPath } from 'node:url';

import { expectWellLabelled, READ_ONLY_DEFAULT } from '@callsign/toolkit';
import { Client } from '@modelcontextprotocol/client';
import { StdioClientTransport } from '@modelcontextprotocol/client/stdio';

const command = {
  command: process.execPath,
  args: [fileURLToPath(new URL('server.mjs', import.meta.url))],
};
await expectWellLabelled(command);

const client = new Client({ name: 'check', version: '1.0.0' });
await client.connect(new StdioClientTransport(command));
const call = async (name, args = {}) => {
  const { content, isError = false } = await client.callTool({ name, arguments: args });
  return { text: content[0].text, isError };
};

const { tools } = await client.listTools();
assert.deepEqual(
  tools.map(({ name, title }) => [name, title]),
  [['harbour__find_ship', 'Find ship']],
);
assert.deepEqual(tools[0].annotations, { ...READ_ONLY_DEFAULT, title: 'Find ship' });

assert.deepEqual(await call('harbour__find_ship', { name: 'Argo' }), {
  text: 'Argo lies at berth 3.',
  isError: false,
});
assert.deepEqual(await call('harbour__find_ship', { name: 'Titanic' }), {
  text: 'No ship in the harbour is called Titanic.',
  isError: true,
});
assert.equal((await call('harbour__find_ship', { name: 7 })).isError, true);
await assert.rejects(call('find_ship', { name: 'Argo' }), /find_ship not found/);

await client.close();
process.stdout.write('The tool is well labelled, and answers.\n');
