// A server on the official SDK that asks `roots/list` three times during each call, as some real servers do. With
// `--http`, it asks on the stream that belongs to no request, and prints `listening URL` on standard error.
import { randomUUID } from 'node:crypto';
import { createServer } from 'node:http';
import { setTimeout as sleep } from 'node:timers/promises';

import { McpServer } from '@modelcontextprotocol/sdk/server/mcp.js';
import { StdioServerTransport } from '@modelcontextprotocol/sdk/server/stdio.js';
import { StreamableHTTPServerTransport } from '@modelcontextprotocol/sdk/server/streamableHttp.js';

function createChild() {
  const child = new McpServer({ name: 'roots', version: '1' });
  const ask = () =>
    child.server.listRoots().then(
      ({ roots }) => roots.map(({ uri }) => uri).join(),
      ({ message }) => `error: ${message}`,
    );
  for (const name of ['plan', 'split']) {
    child.registerTool(name, { description: 'Asks for the roots of its caller.' }, async () => {
      const answers = [];
      for (let n = 0; n < 3; n++) {
        answers.push(await ask());
        await sleep(5);
      }
      return { content: [{ type: 'text', text: JSON.stringify(answers) }] };
    });
  }
  return child;
}

if (process.argv.includes('--http')) {
  const transports = new Map();
  const listener = createServer(async (request, response) => {
    const known = transports.get(request.headers['mcp-session-id']);
    if (known) return known.handleRequest(request, response);
    const transport = new StreamableHTTPServerTransport({
      sessionIdGenerator: randomUUID,
      onsessioninitialized: (id) => transports.set(id, transport),
    });
    await createChild().connect(transport);
    return transport.handleRequest(request, response);
  });
  listener.listen(0, '127.0.0.1', () => {
    process.stderr.write(`listening http://127.0.0.1:${listener.address().port}/mcp\n`);
  });
  process.stdin.resume().once('end', () => process.exit());
} else await createChild().connect(new StdioServerTransport());
