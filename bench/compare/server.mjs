// A server of the comparison: the tools of a recording, and some that look at what a gateway does to a call.
// Usage: server.mjs [RECORDING] [--delay-start=MS]
import { readFileSync } from 'node:fs';
import { createInterface } from 'node:readline';

const args = process.argv.slice(2);
const delayMs = Number(args.find((each) => each.startsWith('--'))?.split('=')[1] ?? 0);
const recording = args.find((each) => !each.startsWith('--'));

/** As text, since JavaScript cannot write these numbers. */
const OWN = [
  '{"name":"echo","description":"Returns its arguments.","inputSchema":{"type":"object"},"annotations":{"readOnlyHint":true}}',
  '{"name":"odd","description":"Returns numbers and content that are not known.","inputSchema":{"type":"object","properties":{"id":{"type":"integer","maximum":9007199254740993,"x-schema":true}}},"x-tool":1,"_meta":{"example.org/kept":true},"annotations":{"readOnlyHint":true,"x-hint":true}}',
  '{"name":"block","description":"Returns a block of a new type.","inputSchema":{"type":"object"},"annotations":{"readOnlyHint":true}}',
  '{"name":"crash","description":"Ends the server.","inputSchema":{"type":"object"}}',
];
const BLOCK = '{"content":[{"type":"text","text":"x"},{"type":"x-block-type","data":"x"}]}';
const ODD =
  '{"content":[{"type":"text","text":"odd","x-block":1}],"structuredContent":{"id":12345678901234567891},"x-result":1,"_meta":{"example.org/kept":true}}';

const recorded = recording
  ? JSON.parse(readFileSync(recording, 'utf8')).tools.map((tool) => JSON.stringify(tool))
  : [];
const list = `{"tools":[${[...recorded, ...(recording ? [] : OWN)].join(',')}]}`;

if (delayMs > 0) await new Promise((resolve) => setTimeout(resolve, delayMs));

createInterface({ input: process.stdin })
  .on('line', (line) => {
    const { id, method, params } = JSON.parse(line);
    if (id === undefined) return;
    if (method === 'tools/call' && params.name === 'crash') process.exit(1);
    const result = resultOf(method, params, line);
    const rest = result ? `"result":${result}` : '"error":{"code":-32601,"message":"Not found"}';
    process.stdout.write(`{"jsonrpc":"2.0","id":${JSON.stringify(id)},${rest}}\n`);
  })
  .on('close', () => process.exit());

function resultOf(method, params, line) {
  switch (method) {
    case 'initialize':
      return JSON.stringify({
        protocolVersion: params.protocolVersion,
        capabilities: { tools: {} },
        serverInfo: { name: 'compared', version: '1.0.0' },
      });
    case 'ping':
      return '{}';
    case 'tools/list':
      return list;
    case 'tools/call':
      if (params.name === 'odd') return ODD;
      if (params.name === 'block') return BLOCK;
      // The whole line as it came, so that the client sees how its arguments arrived.
      return JSON.stringify({ content: [{ type: 'text', text: line }] });
    default:
      return undefined;
  }
}
