// A child whose tools end it at their first call and work after that. Files in `--marks=FOLDER`
// record the first calls.
import { existsSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { createInterface } from 'node:readline';

const marks = process.argv.find((arg) => arg.startsWith('--marks=')).slice('--marks='.length);
const inputSchema = { type: 'object' };
const tools = [
  { name: 'look', inputSchema, annotations: { readOnlyHint: true } },
  { name: 'set', inputSchema, annotations: { idempotentHint: true, destructiveHint: true } },
  { name: 'add', inputSchema, annotations: { destructiveHint: false } },
];
const results = {
  initialize: {
    protocolVersion: '2025-11-25',
    capabilities: { tools: {} },
    serverInfo: { name: 'flaky', version: '1' },
  },
  'tools/list': { tools },
};

function call(name) {
  const mark = join(marks, name);
  if (!existsSync(mark)) {
    writeFileSync(mark, '');
    process.exit(9);
  }
  return { content: [{ type: 'text', text: `${name} done` }] };
}

createInterface({ input: process.stdin }).on('line', (line) => {
  const { id, method, params } = JSON.parse(line);
  if (id === undefined) return;
  const result = method === 'tools/call' ? call(params.name) : results[method];
  const error = { code: -32601, message: 'Method not found' };
  process.stdout.write(
    `${JSON.stringify({ jsonrpc: '2.0', id, ...(result ? { result } : { error }) })}\n`,
  );
});
