// A short gateway on the official SDK, written as its guides suggest: a client per server, and a
// server that forwards calls. Usage: sdk-gateway.mjs CONFIG (--stdio | --http)
import { readFileSync } from 'node:fs';
import { createServer } from 'node:http';

import { Client } from '@modelcontextprotocol/client';
import { StdioClientTransport } from '@modelcontextprotocol/client/stdio';
import { toNodeHandler } from '@modelcontextprotocol/node';
import { createMcpHandler, Server } from '@modelcontextprotocol/server';
import { serveStdio } from '@modelcontextprotocol/server/stdio';

const [config, listener] = process.argv.slice(2);
const { mcpServers } = JSON.parse(readFileSync(config, 'utf8'));
const routes = new Map();
const tools = [];

const connected = Object.entries(mcpServers).map(async ([key, { command, args }]) => {
  const client = new Client({ name: 'sdk-gateway', version: '1.0.0' });
  await client.connect(new StdioClientTransport({ command, args }));
  // The SDK rejects the whole list if the schema of one tool has no type.
  const listed = await client.listTools().catch(() => ({ tools: [] }));
  return { key, client, listed };
});
for (const { key, client, listed } of await Promise.all(connected)) {
  for (const tool of listed.tools) {
    const name = `${key}__${tool.name}`;
    routes.set(name, { client, original: tool.name });
    tools.push({ ...tool, name });
  }
}

function gateway() {
  const server = new Server(
    { name: 'sdk-gateway', version: '1.0.0' },
    { capabilities: { tools: {} } },
  );
  server.setRequestHandler('tools/list', async () => ({ tools }));
  server.setRequestHandler('tools/call', async ({ params }) => {
    const { client, original } = routes.get(params.name);
    return client.callTool({ ...params, name: original });
  });
  return server;
}

if (listener === '--stdio') {
  serveStdio(gateway);
  process.stdin.once('end', () => process.exit());
} else {
  const server = createServer(toNodeHandler(createMcpHandler(gateway)));
  server.listen(0, '127.0.0.1', () => {
    process.stderr.write(`listens on http://127.0.0.1:${server.address().port}/mcp\n`);
  });
}
