// A model API on loopback that answers every request with one word and keeps the tools that were sent with it.
// It implements the parts of three APIs that the clients need for one turn.
import { createServer } from 'node:http';

/**
 * Resolves when it listens. `tools` holds the names of the tools of each model request, in the order of requests.
 * `ready`: awaited before a model request is answered, like the thinking time of a real model.
 * @param {() => Promise<void>} ready
 * @returns {Promise<{ url: string, tools: string[][], paths: string[], close(): void }>}
 */
export function startFakeApi(ready) {
  const tools = [];
  const paths = [];
  const server = createServer((request, response) => {
    let text = '';
    request.setEncoding('utf8').on('data', (part) => (text += part));
    request.on('end', () => {
      paths.push(`${request.method} ${request.url}`);
      void answer(request.url, text === '' ? {} : parsed(text), { response, tools, ready });
    });
  });
  return new Promise((resolve) => {
    server.listen(0, '127.0.0.1', () => {
      const { port } = server.address();
      resolve({ url: `http://127.0.0.1:${port}`, tools, paths, close: () => server.close() });
    });
  });
}

function parsed(text) {
  try {
    return JSON.parse(text);
  } catch {
    return {};
  }
}

async function answer(url, body, { response, tools, ready }) {
  if (/\/v1\/messages(\?|$)/.test(url)) {
    tools.push((body.tools ?? []).map(({ name }) => name));
    await ready();
    return body.stream
      ? stream(response, claudeEvents(body.model))
      : json(response, claude(body.model));
  }
  if (/\/responses(\?|$)/.test(url)) {
    tools.push((body.tools ?? []).flatMap(openAiNames));
    await ready();
    return stream(response, openAiEvents());
  }
  if (/:(streamG|g)enerateContent/.test(url)) {
    const declared = (body.tools ?? []).flatMap(
      ({ functionDeclarations = [] }) => functionDeclarations,
    );
    tools.push(declared.map(({ name }) => name));
    await ready();
    return url.includes('streamGenerate')
      ? stream(response, [[undefined, gemini()]])
      : json(response, gemini());
  }
  if (url.includes('count_tokens') || url.includes('countTokens')) {
    return json(response, { input_tokens: 1, totalTokens: 1 });
  }
  return json(response, { data: [], models: [] });
}

/** The names of tools. Those of a namespace get its name in front. */
function openAiNames({ type, name, tools = [] }) {
  return type === 'namespace' ? tools.map((tool) => `${name}__${tool.name}`) : [name ?? type];
}

function json(response, value) {
  response.writeHead(200, { 'content-type': 'application/json' }).end(JSON.stringify(value));
}

function stream(response, events) {
  response.writeHead(200, { 'content-type': 'text/event-stream' });
  for (const [event, data] of events) {
    response.write(
      `${event === undefined ? '' : `event: ${event}\n`}data: ${JSON.stringify(data)}\n\n`,
    );
  }
  response.end();
}

function claude(model) {
  const usage = { input_tokens: 1, output_tokens: 1 };
  const content = [{ type: 'text', text: 'Done.' }];
  return {
    id: 'msg_1',
    type: 'message',
    role: 'assistant',
    model,
    content,
    stop_reason: 'end_turn',
    usage,
  };
}

function claudeEvents(model) {
  const message = { ...claude(model), content: [], stop_reason: null };
  const index = 0;
  return [
    ['message_start', { type: 'message_start', message }],
    [
      'content_block_start',
      { type: 'content_block_start', index, content_block: { type: 'text', text: '' } },
    ],
    [
      'content_block_delta',
      { type: 'content_block_delta', index, delta: { type: 'text_delta', text: 'Done.' } },
    ],
    ['content_block_stop', { type: 'content_block_stop', index }],
    [
      'message_delta',
      { type: 'message_delta', delta: { stop_reason: 'end_turn' }, usage: { output_tokens: 1 } },
    ],
    ['message_stop', { type: 'message_stop' }],
  ];
}

function openAiEvents() {
  const content = [{ type: 'output_text', text: 'Done.', annotations: [] }];
  const item = { type: 'message', id: 'item_1', role: 'assistant', status: 'completed', content };
  const usage = { input_tokens: 1, output_tokens: 1, total_tokens: 2 };
  const response = { id: 'resp_1', object: 'response', status: 'completed', output: [item], usage };
  return [
    [
      'response.created',
      { type: 'response.created', response: { ...response, status: 'in_progress', output: [] } },
    ],
    ['response.output_item.done', { type: 'response.output_item.done', output_index: 0, item }],
    ['response.completed', { type: 'response.completed', response }],
  ];
}

function gemini() {
  const candidates = [
    { content: { role: 'model', parts: [{ text: 'Done.' }] }, finishReason: 'STOP', index: 0 },
  ];
  return {
    candidates,
    usageMetadata: { promptTokenCount: 1, candidatesTokenCount: 1, totalTokenCount: 2 },
  };
}
