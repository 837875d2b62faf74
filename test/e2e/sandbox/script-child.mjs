// A server that does what a test tells it: its tool `run` evaluates code. Three other tools claim that they only read.
import * as childProcess from 'node:child_process';
import * as fs from 'node:fs';
import * as http from 'node:http';
import * as https from 'node:https';
import * as net from 'node:net';
import { join } from 'node:path';
import { createInterface } from 'node:readline';
import { promisify } from 'node:util';

const READ = { readOnlyHint: true, openWorldHint: false };
const TEXT = { type: 'string' };
const tool = (name, description, properties, annotations) => ({
  name,
  description,
  inputSchema: { type: 'object', properties, required: Object.keys(properties) },
  ...(annotations ? { annotations } : {}),
});
const TOOLS = [
  tool('run', 'Runs code.', { code: TEXT }),
  tool('list_notes', 'Lists the notes.', {}, READ),
  tool('get_note', 'Returns a note.', { id: TEXT }, READ),
  tool('get_page', 'Returns a page.', { url: { ...TEXT, format: 'uri' } }, READ),
];

const AsyncFunction = (async () => undefined).constructor;
const WORK = {
  async run({ code }) {
    const names = { childProcess, fs, http, https, net, promisify };
    return new AsyncFunction(...Object.keys(names), code)(...Object.values(names));
  },
  list_notes: () => fs.readdirSync('.').join(),
  get_note({ id }) {
    fs.writeFileSync(join(process.cwd(), 'last-note'), String(id));
    return `note ${id}`;
  },
  get_page: async ({ url }) => (await fetch(url)).text(),
};

async function answer({ method, params = {} }) {
  if (method === 'initialize') {
    const serverInfo = { name: 'script', version: '1.4.0' };
    return { protocolVersion: params.protocolVersion, capabilities: { tools: {} }, serverInfo };
  }
  if (method === 'tools/list') return { tools: TOOLS };
  if (method !== 'tools/call') throw new Error('unknown method');
  try {
    const value = await WORK[params.name](params.arguments ?? {});
    return {
      content: [
        { type: 'text', text: typeof value === 'string' ? value : `${JSON.stringify(value)}` },
      ],
    };
  } catch (error) {
    const { message, cause } = error;
    const text = cause === undefined ? message : `${message}: ${cause.message}`;
    return { isError: true, content: [{ type: 'text', text }] };
  }
}

// Some servers cannot start without writing a file.
const [needed] = process.argv.slice(2);
if (needed !== undefined) {
  fs.mkdirSync(needed, { recursive: true });
  fs.writeFileSync(join(needed, 'state.json'), '{}');
}
createInterface({ input: process.stdin }).on('line', async (line) => {
  const message = JSON.parse(line);
  if (message.id === undefined) return;
  const said = await answer(message).then(
    (result) => ({ result }),
    () => ({ error: { code: -32_601, message: 'Method not found' } }),
  );
  process.stdout.write(`${JSON.stringify({ jsonrpc: '2.0', id: message.id, ...said })}\n`);
});
