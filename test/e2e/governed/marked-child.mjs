// A server that puts a mark into all its names and texts: `--mark=NAME` gives NAMEname and
// NAMEtext.
// Its tool `speak {messages, later, until}` sends these messages: before its answer, or with `later` after it.
import { existsSync } from 'node:fs';
import { createInterface } from 'node:readline';

const mark = process.argv.find((arg) => arg.startsWith('--mark='))?.slice('--mark='.length);
const [name, text] = [`${mark}name`, `${mark}text`];
const inputSchema = { type: 'object' };
const tools = [
  { name: `${name}_speak`, description: text, inputSchema },
  { name: `${name}_other`, description: text, inputSchema },
];
const heard = [];
const send = (message) =>
  process.stdout.write(`${JSON.stringify({ jsonrpc: '2.0', ...message })}\n`);

/** If a message says that the tools have changed, they really change. */
function say(message) {
  if (message.method === 'notifications/tools/list_changed') {
    tools.push({ name: `${name}_${tools.length}`, description: text, inputSchema });
  }
  send(message);
}

function call(id, { arguments: { messages = [], later = false, until } = {} }) {
  const answer = () => {
    if (until !== undefined && !existsSync(until)) return setTimeout(answer, 20);
    send({ id, result: { content: [{ type: 'text', text }], structuredContent: { heard } } });
    if (later) setTimeout(() => messages.forEach(say), 20);
  };
  if (!later) messages.forEach(say);
  answer();
}

const ANSWERS = {
  initialize: () => ({
    protocolVersion: '2025-11-25',
    capabilities: {
      tools: { listChanged: true },
      prompts: { listChanged: true },
      resources: { listChanged: true, subscribe: true },
      completions: {},
      logging: {},
    },
    serverInfo: { name, version: text },
    instructions: text,
  }),
  'tools/list': () => ({ tools }),
  'prompts/list': () => ({
    prompts: [{ name: `${name}_prompt`, description: text, arguments: [{ name: 'a' }] }],
  }),
  'prompts/get': () => ({ messages: [{ role: 'user', content: { type: 'text', text } }] }),
  'resources/list': () => ({ resources: [{ uri: `${mark}://listed`, name, description: text }] }),
  'resources/templates/list': () => ({
    resourceTemplates: [
      { uriTemplate: `${mark}://{+path}`, name, description: text },
      { uriTemplate: 'both://{+path}', name, description: text },
    ],
  }),
  'resources/read': ({ uri }) => ({ contents: [{ uri, text: `${text} ${uri}` }] }),
  'completion/complete': ({ argument: { value = '' } }) => ({
    completion: { values: [`${value}${name}`, `secret/${name}`], total: 2 },
  }),
};

createInterface({ input: process.stdin }).on('line', (line) => {
  const { id, method, params = {}, result } = JSON.parse(line);
  if (method === undefined) return heard.push(result ?? null);
  if (id === undefined) return;
  if (method === 'tools/call') return call(id, params);
  send({ id, result: ANSWERS[method]?.(params) ?? {} });
});
