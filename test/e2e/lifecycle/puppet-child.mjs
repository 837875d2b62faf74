// A server that writes exactly what it is told to: `{"write": [lines]}`, with ID in place of the request's id,
// NEXT in place of the number after it, and LONG in place of a text of 100 KB.
import { createInterface } from 'node:readline';

const LONG = 'x'.repeat(100_000);
const TOOL = { name: 'puppet', inputSchema: { type: 'object' } };
const CAPABILITIES = { tools: {}, logging: {}, resources: { subscribe: true } };
const RESULTS = {
  initialize: {
    protocolVersion: '2025-11-25',
    capabilities: CAPABILITIES,
    serverInfo: { name: 'puppet', version: '1' },
  },
  'tools/list': { tools: [TOOL] },
  'resources/list': { resources: [] },
};

createInterface({ input: process.stdin }).on('line', (line) => {
  const { id, method, params } = JSON.parse(line);
  if (id === undefined) return;
  if (method === 'tools/call') {
    for (const text of params.arguments.write) {
      const filled = text
        .replaceAll('ID', JSON.stringify(id))
        .replaceAll('NEXT', id + 1)
        .replaceAll('LONG', LONG);
      process.stdout.write(`${filled}\n`);
    }
    return;
  }
  const error = { code: -32601, message: 'Method not found' };
  const result = RESULTS[method];
  process.stdout.write(
    `${JSON.stringify({ jsonrpc: '2.0', id, ...(result ? { result } : { error }) })}\n`,
  );
});
