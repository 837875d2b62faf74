/** A server that reads its tool definitions from a file, so that a test can change them. */

import { readFileSync } from 'node:fs';
import { createInterface } from 'node:readline';

const [, , file] = process.argv;

const ANSWERS = {
  initialize: () => ({
    protocolVersion: '2025-11-25',
    capabilities: { tools: {} },
    serverInfo: { name: 'retold', version: '1' },
  }),
  'tools/list': () => ({
    tools: Object.entries(JSON.parse(readFileSync(file, 'utf8'))).map(([name, description]) => {
      return { name, description, inputSchema: { type: 'object' } };
    }),
  }),
  'tools/call': () => ({ content: [] }),
};

for await (const line of createInterface({ input: process.stdin })) {
  const { id, method, params } = JSON.parse(line);
  if (id === undefined) continue;
  const answer = Object.hasOwn(ANSWERS, method)
    ? { result: ANSWERS[method](params) }
    : { error: { code: -32601, message: `Method not found: ${method}` } };
  process.stdout.write(`${JSON.stringify({ jsonrpc: '2.0', id, ...answer })}\n`);
}
