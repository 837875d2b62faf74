// A server that echoes, and counts the messages that reach it. Argument: how many more tools it
// lists.
import { createInterface } from 'node:readline';

const inputSchema = { type: 'object' };
const tools = [
  { name: 'echo', inputSchema, annotations: { readOnlyHint: true } },
  { name: 'change', inputSchema, annotations: { destructiveHint: true } },
  { name: 'counts', inputSchema },
  ...Array.from({ length: Number(process.argv[2]) }, (_, i) => ({ name: `t${i}`, inputSchema })),
];
let messages = 0;

const RESULTS = {
  initialize: ({ protocolVersion }) => ({
    protocolVersion,
    capabilities: { tools: {} },
    serverInfo: { name: 'counting-child', version: '1.0.0' },
  }),
  'tools/list': () => ({ tools }),
  'tools/call': ({ name, arguments: given }) => ({
    content: [{ type: 'text', text: name === 'counts' ? String(messages) : given.text }],
  }),
};

createInterface({ input: process.stdin }).on('line', (line) => {
  messages++;
  const { id, method, params } = JSON.parse(line);
  if (id === undefined) return;
  const answer = RESULTS[method];
  const rest = answer
    ? { result: answer(params) }
    : { error: { code: -32601, message: 'Method not found' } };
  process.stdout.write(`${JSON.stringify({ jsonrpc: '2.0', id, ...rest })}\n`);
});
