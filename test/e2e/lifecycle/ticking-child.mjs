// A server whose calls report progress and never end. Writes each cancellation to the file that it gets as its argument.
import { appendFileSync } from 'node:fs';
import { createInterface } from 'node:readline';

const [, , file] = process.argv;
const RESULTS = {
  initialize: {
    protocolVersion: '2025-11-25',
    capabilities: { tools: {} },
    serverInfo: { name: 'ticking', version: '1' },
  },
  'tools/list': { tools: [{ name: 'tick', inputSchema: { type: 'object' } }] },
};

const write = (message) => {
  process.stdout.write(`${JSON.stringify({ jsonrpc: '2.0', ...message })}\n`);
};

createInterface({ input: process.stdin }).on('line', (line) => {
  const { id, method, params } = JSON.parse(line);
  if (method === 'notifications/cancelled') appendFileSync(file, 'cancelled\n');
  if (id === undefined) return;
  if (method === 'tools/call') {
    const { progressToken } = params['_meta'];
    let progress = 0;
    setInterval(() => {
      write({ method: 'notifications/progress', params: { progressToken, progress: ++progress } });
    }, 20).unref();
  } else if (RESULTS[method]) write({ id, result: RESULTS[method] });
  else write({ id, error: { code: -32601, message: 'Method not found' } });
});
