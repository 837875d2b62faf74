// A server that changes the definition of one of its tools: `change {description}`. `--extra=NAME` adds a tool,
// `--description=TEXT` is the description at the start.
import { createInterface } from 'node:readline';

const flag = (name) =>
  process.argv.find((arg) => arg.startsWith(`--${name}=`))?.slice(`--${name}=`.length);
const extra = flag('extra');
const inputSchema = { type: 'object' };
const description = flag('description') ?? 'Tells the weather.';
const weather = { name: 'weather', description, inputSchema };
const tools = () => [
  weather,
  { name: 'change', inputSchema },
  ...(extra ? [{ name: extra, inputSchema }] : []),
];
const send = (message) =>
  process.stdout.write(`${JSON.stringify({ jsonrpc: '2.0', ...message })}\n`);

function call({ name, arguments: given }) {
  if (name === 'change') {
    weather.description = given.description;
    send({ method: 'notifications/tools/list_changed' });
  }
  return { content: [{ type: 'text', text: 'done' }] };
}

createInterface({ input: process.stdin }).on('line', (line) => {
  const { id, method, params } = JSON.parse(line);
  if (id === undefined) return;
  const result = {
    initialize: () => ({
      protocolVersion: '2025-11-25',
      capabilities: { tools: { listChanged: true } },
      serverInfo: { name: 'changeling', version: '1' },
    }),
    'tools/list': () => ({ tools: tools() }),
    'tools/call': () => call(params),
  }[method]?.();
  send(result ? { id, result } : { id, error: { code: -32601, message: 'Method not found' } });
});
