// What the load generator needs from a connection, over any transport and in both eras.

/**
 * @typedef {object} Client
 * @property {(text: string, id: number, done: (answer: Buffer) => void) => void} send
 *   Sends a request; `done` gets the bytes of its answer.
 * @property {(text: string) => void} notify
 * @property {(listener: (line: Buffer) => void) => void} onNotice Everything but answers.
 * @property {() => void} close
 */

/** @typedef {'session' | 'stateless'} Era */

const SESSION_VERSION = '2025-11-25';
const STATELESS_VERSION = '2026-07-28';
const ANSWER_MS = 30_000;
const SELF = { name: 'callsign-bench', version: '1.0.0' };

/** The client information in every request of the stateless era. */
const ENVELOPE = JSON.stringify({
  'io.modelcontextprotocol/protocolVersion': STATELESS_VERSION,
  'io.modelcontextprotocol/clientCapabilities': {},
  'io.modelcontextprotocol/clientInfo': SELF,
}).slice(1, -1);

/** The handler for notifications that are not needed. */
export function ignore() {}

let lastId = 0;

/** Ids are never reused, so that a late answer is not taken for another one. */
export function nextId() {
  return ++lastId;
}

/** The text of a call around its id; `args` and `meta` are the members of JSON objects, as text. */
export function callText({ name, args, meta = '', era = 'session' }) {
  const envelope = [era === 'stateless' ? ENVELOPE : '', meta].filter((part) => part !== '');
  const members = envelope.length === 0 ? '' : `,"_meta":{${envelope.join(',')}}`;
  const params = `{"name":${JSON.stringify(name)},"arguments":{${args}}${members}}`;
  return requestText('tools/call', params);
}

/** The text of a request before and after its id. */
export function requestText(method, params) {
  return {
    head: '{"jsonrpc":"2.0","id":',
    tail: `,"method":"${method}","params":${params}}`,
  };
}

/** Sends one request and returns the parsed answer. */
export function ask(client, { head, tail }) {
  return new Promise((resolve, reject) => {
    const id = nextId();
    const late = () =>
      reject(new Error(`No answer within ${ANSWER_MS} ms to ${tail.slice(0, 200)}`));
    const timer = setTimeout(late, ANSWER_MS);
    client.send(`${head}${id}${tail}`, id, (answer) => {
      clearTimeout(timer);
      try {
        resolve(JSON.parse(answer.toString()));
      } catch (error) {
        reject(new Error(`No JSON: ${answer.subarray(0, 300)}`, { cause: error }));
      }
    });
  });
}

export function request(client, method, params = {}) {
  return ask(client, requestText(method, JSON.stringify(params)));
}

/** The first message of a session. */
export const HELLO = requestText(
  'initialize',
  JSON.stringify({ protocolVersion: SESSION_VERSION, capabilities: {}, clientInfo: SELF }),
);

/** Does the handshake, if the era has one. */
export async function greet(client, era) {
  if (era === 'stateless') return;
  await ask(client, HELLO);
  client.notify('{"jsonrpc":"2.0","method":"notifications/initialized"}');
}

/** Headers besides those of every request. */
export function eraHeaders(era, name) {
  if (era === 'session') return { 'mcp-protocol-version': SESSION_VERSION };
  return {
    'mcp-protocol-version': STATELESS_VERSION,
    'mcp-method': 'tools/call',
    'mcp-name': name,
  };
}

/** The id of an answer, without parsing all of it: it is before or after the result. */
export function idOf(line) {
  const head = line.latin1Slice(0, Math.min(48, line.length));
  const tail = () => line.latin1Slice(Math.max(0, line.length - 48), line.length);
  const match = /"id":(\d+)/.exec(head) ?? /"id":(\d+)/.exec(tail());
  return match ? Number(match[1]) : undefined;
}
