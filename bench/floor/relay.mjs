// The bare relay, the least that a gateway must do: read a line, parse it, look up the name,
// forward it under its own id, and the same for the answer. No sessions, no eras, no errors, no
// restarts.
// Usage: relay.mjs CONFIG (--stdio | --http); over HTTP it prints its address on standard error.
import { spawn } from 'node:child_process';
import { readFileSync } from 'node:fs';
import { createServer } from 'node:http';

import { eachLine, lineWriter } from './lines.mjs';

const [config, listener] = process.argv.slice(2);
const { mcpServers } = JSON.parse(readFileSync(config, 'utf8'));
/** From the exposed name to the child that has the tool, and the tool's name there. */
const routes = new Map();
const tools = [];
/** From our id to the waiting callback and the client's id. */
const pending = new Map();
let lastId = 0;
/** Receives messages that belong to no call. */
let tell = () => undefined;

const handshake = {
  protocolVersion: '2025-11-25',
  capabilities: {},
  clientInfo: { name: 'relay', version: '1.0.0' },
};
await Promise.all(
  Object.entries(mcpServers).map(async ([key, { command, args }]) => {
    const child = spawn(command, args, { stdio: ['pipe', 'pipe', 'inherit'] });
    const write = lineWriter(child.stdin);
    eachLine(child.stdout, onChildLine);
    await ask(write, 'initialize', handshake);
    write('{"jsonrpc":"2.0","method":"notifications/initialized"}');
    for (const tool of (await ask(write, 'tools/list', {})).tools) {
      const name = `${key}:${tool.name}`;
      routes.set(name, { write, original: tool.name });
      tools.push({ ...tool, name });
    }
  }),
);

function ask(write, method, params) {
  return new Promise((resolve) => {
    const id = ++lastId;
    pending.set(id, { reply: (text) => resolve(JSON.parse(text).result), id });
    write(JSON.stringify({ jsonrpc: '2.0', id, method, params }));
  });
}

function onChildLine(line) {
  const message = JSON.parse(line);
  if (message.method !== undefined) return tell(line);
  const waiting = pending.get(message.id);
  pending.delete(message.id);
  message.id = waiting.id;
  waiting.reply(JSON.stringify(message));
}

function onClientMessage(text, reply) {
  const message = JSON.parse(text);
  if (message.method === 'tools/call') {
    const route = routes.get(message.params.name);
    const id = ++lastId;
    pending.set(id, { reply, id: message.id });
    message.id = id;
    message.params.name = route.original;
    return route.write(JSON.stringify(message));
  }
  if (message.id === undefined) return reply(undefined);
  const result = message.method === 'tools/list' ? { tools } : { ...handshake, capabilities: {} };
  reply(JSON.stringify({ jsonrpc: '2.0', id: message.id, result }));
}

if (listener === '--stdio') {
  const write = lineWriter(process.stdout);
  tell = write;
  const reply = (text) => text !== undefined && write(text);
  eachLine(process.stdin, (line) => onClientMessage(line, reply));
  process.stdin.once('end', () => process.exit());
} else {
  const server = createServer((request, response) => {
    const parts = [];
    request.on('data', (part) => parts.push(part));
    request.once('end', () => {
      const body = parts.length === 1 ? parts[0] : Buffer.concat(parts);
      onClientMessage(body.toString(), (text = '') => {
        const bytes = Buffer.from(text);
        response.writeHead(text === '' ? 202 : 200, {
          'content-type': 'application/json',
          'content-length': bytes.length,
        });
        response.end(bytes);
      });
    });
  });
  server.listen(0, '127.0.0.1', () => {
    process.stderr.write(`listens on http://127.0.0.1:${server.address().port}/mcp\n`);
  });
}
