// What clients send: JSON-RPC on stdio and over HTTP, and requests that are barely HTTP. The
// gateway must keep running, its errors must be its own, and no answer may reach another caller.
import { connect } from 'node:net';

import fc from 'fast-check';

import { startGateway } from './gateway.mjs';
import { readable } from './problems.mjs';
import { jsonValue, mutated, reshaped } from './texts.mjs';

const META = {
  'io.modelcontextprotocol/protocolVersion': '2026-07-28',
  'io.modelcontextprotocol/clientCapabilities': {},
};
const MESSAGES = [
  {
    jsonrpc: '2.0',
    id: 7,
    method: 'tools/call',
    params: { name: 'one:echo', arguments: { a: 1 }, _meta: { progressToken: 1 } },
  },
  { jsonrpc: '2.0', id: 'x', method: 'tools/list', params: {} },
  { jsonrpc: '2.0', id: 8, method: 'resources/read', params: { uri: 'plain://static' } },
  {
    jsonrpc: '2.0',
    id: 9,
    method: 'completion/complete',
    params: { ref: { type: 'ref/prompt', name: 'one:greet' }, argument: { name: 'n', value: 'v' } },
  },
  {
    jsonrpc: '2.0',
    id: 10,
    method: 'initialize',
    params: {
      protocolVersion: '2025-11-25',
      capabilities: { roots: {} },
      clientInfo: { name: 'f', version: '1' },
    },
  },
  {
    jsonrpc: '2.0',
    id: 11,
    method: 'subscriptions/listen',
    params: { notifications: { toolsListChanged: true }, _meta: META },
  },
  {
    jsonrpc: '2.0',
    id: 12,
    method: 'tools/call',
    params: { name: 'two:add', arguments: { a: 1, b: 2 }, requestState: 's', _meta: META },
  },
  { jsonrpc: '2.0', method: 'notifications/cancelled', params: { requestId: 7 } },
  { jsonrpc: '2.0', id: 3, result: {} },
];
const message = fc.oneof(
  ...MESSAGES.map((each) => reshaped(each).map((value) => JSON.stringify(value))),
  mutated(...MESSAGES.map((each) => JSON.stringify(each))),
  jsonValue.map((value) => JSON.stringify(value)),
);
const oneLine = message.map((text) => text.replaceAll(/[\r\n]/g, ' '));
const INITIALIZE = JSON.stringify({ ...MESSAGES[4], id: 0 });
let tokens = 0;

/** Fails unless an error has a code and a message. `Internal error` is always our bug. */
function checkAnswer({ error }) {
  if (error === undefined) return;
  if (!Number.isInteger(error.code))
    throw new Error(`an error without a number: ${JSON.stringify(error)}`);
  if (error.message === 'Internal error') throw new Error('Internal error');
  // Any other error with this number comes from the server and is passed on unchanged.
  if (error.code === -32603 && error.data?.code === undefined) return;
  readable(error.message);
}

function echo(id, token) {
  const params = { name: 'one:echo', arguments: { token } };
  return JSON.stringify({ jsonrpc: '2.0', id, method: 'tools/call', params });
}

async function openStdio() {
  const gateway = await startGateway('--stdio');
  gateway.answers = [];
  let rest = '';
  gateway.child.stdout.setEncoding('utf8').on('data', (text) => {
    const lines = (rest + text).split('\n');
    rest = lines.pop();
    gateway.answers.push(...lines);
  });
  gateway.child.stdin.write(
    `${INITIALIZE}\n{"jsonrpc":"2.0","method":"notifications/initialized"}\n`,
  );
  await gateway.until(() => gateway.answers.length > 0, 'the handshake');
  return gateway;
}

async function checkStdio(lines, gateway) {
  const token = `token-${++tokens}`;
  const before = gateway.answers.length;
  gateway.child.stdin.write(`${lines.join('\n')}\n${echo(token, token)}\n`);
  const mine = () => gateway.answers.slice(before).find((line) => line.includes(`"id":"${token}"`));
  await gateway.until(() => mine() !== undefined, 'an answer to the next call');
  if (JSON.parse(mine()).result?.structuredContent?.token !== token)
    throw new Error(`not our answer: ${mine()}`);
  for (const line of gateway.answers.splice(0)) checkAnswer(JSON.parse(line));
  gateway.alive();
}

const HEADERS = {
  'content-type': 'application/json',
  accept: 'application/json, text/event-stream',
};

async function post(gateway, body, session, more = {}, ms = 1_500) {
  const headers = { ...HEADERS, ...(session ? { 'mcp-session-id': session } : {}), ...more };
  const signal = AbortSignal.timeout(ms);
  return fetch(gateway.url, { method: 'POST', headers, body, signal });
}

async function openHttp() {
  const gateway = await startGateway('--http', '0');
  await gateway.until(() => /listens on (\S+)/.test(gateway.stderr), 'the listener');
  gateway.url = /listens on (\S+)/.exec(gateway.stderr)[1];
  gateway.sessions = [];
  for (let n = 0; n < 2; n++) {
    const reply = await post(gateway, INITIALIZE, undefined, {}, 30_000);
    await reply.text();
    gateway.sessions.push(reply.headers.get('mcp-session-id'));
  }
  return gateway;
}

/** Two callers use the same id at the same time, and each must get its own answer. */
async function checkCallers(gateway) {
  const asked = gateway.sessions.map(async (session) => {
    const token = `token-${++tokens}`;
    const reply = await fetch(gateway.url, {
      method: 'POST',
      headers: { ...HEADERS, 'mcp-session-id': session },
      body: echo(1, token),
    });
    const text = await reply.text();
    if (!text.includes(`"token":"${token}"`))
      throw new Error(`not our answer: ${text.slice(0, 300)}`);
  });
  await Promise.all(asked);
  gateway.alive();
}

async function checkHttp({ bodies, stateless }, gateway) {
  const more = stateless
    ? { 'mcp-protocol-version': '2026-07-28', 'mcp-method': 'tools/call', 'mcp-name': 'one:echo' }
    : {};
  await Promise.all(
    bodies.map(async (body) => {
      // A request that gets no answer, because it was cancelled or listens, is aborted.
      const reply = await post(gateway, body, gateway.sessions[0], more).catch(() => undefined);
      const text = await reply?.text().catch(() => '');
      if (!reply || reply.status === 202 || text === '') return;
      if (reply.status >= 500) throw new Error(`HTTP ${reply.status} for ${body.slice(0, 200)}`);
      const isEvents = reply.headers.get('content-type') === 'text/event-stream';
      const answers = isEvents
        ? Array.from(text.matchAll(/^data: (\{.*)$/gm), ([, data]) => data)
        : [text];
      for (const answer of answers)
        for (const each of [JSON.parse(answer)].flat()) checkAnswer(each);
    }),
  );
  await checkCallers(gateway);
}

const REQUEST = `POST /mcp HTTP/1.1\r\nhost: localhost\r\ncontent-type: application/json\r\naccept: application/json, text/event-stream\r\ncontent-length: 40\r\nmcp-protocol-version: 2025-11-25\r\n\r\n{"jsonrpc":"2.0","id":1,"method":"ping"}`;
const GET =
  'GET /mcp/profile/canonical?x=1 HTTP/1.1\r\nhost: 127.0.0.1\r\norigin: http://localhost\r\nlast-event-id: s1-1\r\ntransfer-encoding: chunked\r\n\r\n5\r\nhello\r\n0\r\n\r\n';

async function checkRaw(text, gateway) {
  const socket = connect(Number(new URL(gateway.url).port), '127.0.0.1');
  await new Promise((resolve) => {
    socket
      .on('error', () => undefined)
      .on('close', resolve)
      .resume();
    socket.end(text, () => setTimeout(() => socket.destroy(), 20));
  });
  const health = await fetch(new URL('/healthz', gateway.url));
  if (health.status !== 200) throw new Error(`HTTP ${health.status} of /healthz`);
  await checkCallers(gateway);
}

export const MESSAGE_TARGETS = [
  {
    name: 'stdio',
    input: fc.array(oneLine, { minLength: 1, maxLength: 5 }),
    open: openStdio,
    check: checkStdio,
  },
  {
    name: 'http',
    input: fc.record({
      bodies: fc.array(message, { minLength: 1, maxLength: 3 }),
      stateless: fc.boolean(),
    }),
    open: openHttp,
    check: checkHttp,
  },
  { name: 'http-raw', input: mutated(REQUEST, GET), open: openHttp, check: checkRaw },
];
