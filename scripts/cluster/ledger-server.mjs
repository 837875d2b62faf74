// A server over stdio. It writes every call that reaches it to a file, with the time and the
// gateway that started the server. The file stays after its end.
import { appendFileSync } from 'node:fs';
import { createInterface } from 'node:readline';

const FILE = process.env.LEDGER_FILE;
const inputSchema = { type: 'object', properties: { n: { type: 'string' } }, required: ['n'] };
const TOOLS = [
  { name: 'read', description: 'Reads.', inputSchema, annotations: { readOnlyHint: true } },
  { name: 'change', description: 'Changes.', inputSchema, annotations: { destructiveHint: false } },
  { name: 'wipe', description: 'Wipes.', inputSchema, annotations: { destructiveHint: true } },
];

const METHODS = {
  initialize: ({ protocolVersion }) => ({
    protocolVersion,
    capabilities: { tools: {} },
    serverInfo: { name: 'ledger', version: '1' },
  }),
  'tools/list': () => ({ tools: TOOLS }),
  'tools/call': ({ name, arguments: args }) => {
    const entry = { tool: name, n: args.n, at: Date.now(), gateway: process.ppid };
    appendFileSync(FILE, `${JSON.stringify(entry)}\n`);
    return { content: [{ type: 'text', text: `${name} ${args.n}` }] };
  },
};

for await (const line of createInterface({ input: process.stdin })) {
  const { id, method, params } = JSON.parse(line);
  if (id === undefined) continue;
  const answer = METHODS[method]
    ? { result: METHODS[method](params ?? {}) }
    : { error: { code: -32601, message: 'Method not found' } };
  // Long enough for calls to be under way when an instance ends.
  setTimeout(
    () => process.stdout.write(`${JSON.stringify({ jsonrpc: '2.0', id, ...answer })}\n`),
    method === 'tools/call' ? 20 : 0,
  );
}
