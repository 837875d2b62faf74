// A child that answers every call after a while, whether or not it is still wanted.
import { createInterface } from 'node:readline';

const TOOL = { name: 'late', inputSchema: { type: 'object' } };
const INFO = { protocolVersion: '2025-11-25', capabilities: { tools: {} } };
const RESULTS = {
  initialize: { ...INFO, serverInfo: { name: 'late', version: '1' } },
  'tools/list': { tools: [TOOL] },
  'tools/call': { content: [{ type: 'text', text: 'late' }] },
};
let cancelled = 0;

createInterface({ input: process.stdin }).on('line', (line) => {
  const { id, method, params } = JSON.parse(line);
  if (method === 'notifications/cancelled') cancelled += 1;
  if (id === undefined) return;
  const error = { code: -32601, message: 'Method not found' };
  const result = params?.name === 'late' ? { ...RESULTS[method], cancelled } : RESULTS[method];
  const text = JSON.stringify({ jsonrpc: '2.0', id, ...(result ? { result } : { error }) });
  setTimeout(() => process.stdout.write(`${text}\n`), method === 'tools/call' ? 400 : 0);
});
