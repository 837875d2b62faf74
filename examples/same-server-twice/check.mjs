/** The same server twice: every tool has two names and two titles, and each call reaches the right one. */

import assert from 'node:assert/strict';
import { fileURLToPath } from 'node:url';

import { Client } from '@modelcontextprotocol/client';
import { StdioClientTransport } from '@modelcontextprotocol/client/stdio';

import { untilListed } from '../until-listed.mjs';

const here = (path) => fileURLToPath(new URL(path, import.meta.url));
const client = new Client({ name: 'my-agent', version: '1.0.0' });
await client.connect(
  new StdioClientTransport({
    command: process.execPath,
    args: [here('../../packages/cli/bin/callsign.cjs'), 'serve', '--config', here('callsign.json')],
    env: process.env,
  }),
);
const read = (name, path) => client.callTool({ name, arguments: { path: here(path) } });

const tools = await untilListed(client, 'home:read_text_file', 'work:read_text_file');
const titles = new Map(tools.map(({ name, title }) => [name, title]));
assert.equal(titles.size, tools.length);
assert.equal(titles.get('home:read_text_file'), 'Notes at Home — Read Text File');
assert.equal(titles.get('work:read_text_file'), 'Notes at Work — Read Text File');

const home = await read('home:read_text_file', 'home/today.txt');
const work = await read('work:read_text_file', 'work/today.txt');
assert.equal(home.content[0].text, 'Water the plants.\n');
assert.equal(work.content[0].text, 'Ship the release.\n');

// Each server protects its own folder.
const astray = await read('home:read_text_file', 'work/today.txt');
assert.equal(astray.isError, true);
assert.match(astray.content[0].text, /outside allowed directories/);

await client.close();
process.stdout.write(`${tools.length} tools, no two with one name.\n`);
