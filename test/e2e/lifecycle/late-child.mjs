// A server that answers calls of `late` only when `release` is called, whether or not they were cancelled.
import { createInterface } from 'node:readline';

const tool = (name) => ({ name, inputSchema: { type: 'object' } });
const INFO = { protocolVersion: '2025-11-25', capabilities: { tools: {} } };
const RESULTS = {
  initialize: { ...INFO, serverInfo: { name: 'late', version: '1' } },
  'tools/list': { tools: [tool('late'), tool('release'), tool('seen')] },
};
const pending = [];
let cancelled = 0;

const write = (id, answer) => {
  process.stdout.write(`${JSON.stringify({ jsonrpc: '2.0', id, ...answer })}\n`);
};
const said = (text) => ({ result: { content: [{ type: 'text', text }] } });

const CALLS = {
  late: (id) => pending.push(id),
  release: (id) => {
    for (const late of pending.splice(0)) write(late, said('late'));
    write(id, said('released'));
  },
  seen: (id) => write(id, said(`${pending.length} pending, ${cancelled} cancelled`)),
};

createInterface({ input: process.stdin }).on('line', (line) => {
  const { id, method, params } = JSON.parse(line);
  if (method === 'notifications/cancelled') cancelled += 1;
  if (id === undefined) return;
  if (method === 'tools/call') CALLS[params.name](id);
  else if (RESULTS[method]) write(id, { result: RESULTS[method] });
  else write(id, { error: { code: -32601, message: 'Method not found' } });
});
