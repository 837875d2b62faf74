// Clients of both eras that make one call after another, each on a new connection, and note every
// result.
import { request } from 'node:http';

const STATELESS = '2026-07-28';
const MIX = ['read', 'change', 'read', 'limited', 'wipe'];

/** One POST on a new connection, so that the balancer chooses again. Rejects if there is no response. */
function post(url, headers, body) {
  return new Promise((resolve, reject) => {
    const sent = request(url, {
      method: 'POST',
      agent: false,
      headers: {
        accept: 'application/json, text/event-stream',
        'content-type': 'application/json',
        ...headers,
      },
    });
    sent.setTimeout(60_000, () => sent.destroy(new Error('no answer for a minute')));
    sent.on('error', reject);
    sent.on('response', (response) => {
      let text = '';
      response.setEncoding('utf8');
      response.on('data', (chunk) => (text += chunk));
      response.on('error', reject);
      response.on('end', () =>
        resolve({ status: response.statusCode, headers: response.headers, text }),
      );
    });
    sent.end(JSON.stringify(body));
  });
}

/** The message that answers a request, of a body or of a stream. */
function answerIn(status, text, id) {
  const lines = text.startsWith('{')
    ? [text]
    : text.split('\n').filter((line) => /^data: ./.test(line));
  const messages = lines.map((line) => JSON.parse(line.replace(/^data: /, '')));
  const answer = messages.find((message) => message.id === id && message.method === undefined);
  if (!answer) throw new Error(`HTTP ${status} without an answer: ${text.slice(0, 100)}`);
  return answer;
}

export class ClusterClient {
  /** The result of every call: `{ era, tool, n, start, end, is, reason }`. */
  calls = [];
  /** When a session was lost. */
  lostSessions = [];
  #options;
  #session;
  #lastId = 0;

  /** `era`: session or stateless. */
  constructor(options) {
    this.#options = options;
  }

  /** Calls until the signal. */
  async run(signal) {
    for (let number = 0; !signal.aborted; number++) {
      const kind = MIX[number % MIX.length];
      await this.#call(kind === 'limited' ? 'limited:change' : `ledger:${kind}`, number);
      await new Promise((resolve) => setTimeout(resolve, 20));
    }
  }

  async #call(tool, number) {
    const { name, era } = this.#options;
    const n = `${name}-${number}`;
    const start = Date.now();
    const call = { era, tool, n, start };
    try {
      const answer =
        era === 'session' ? await this.#inSession(tool, n) : await this.#stateless(tool, n);
      Object.assign(call, judged(answer, tool, n));
    } catch (error) {
      Object.assign(call, { is: 'broken', reason: error.message });
    }
    this.calls.push({ ...call, end: Date.now() });
  }

  async #inSession(tool, n) {
    let lost = 0;
    for (let tries = 0; lost < 5 && tries < 30; tries++) {
      if (this.#session === undefined) await this.#initialize();
      const id = ++this.#lastId;
      const { status, text } = await this.#send(
        { 'mcp-session-id': this.#session },
        { id, method: 'tools/call', params: { name: tool, arguments: { n } } },
      );
      // Its home does not answer now. The call was not made, and the session stays.
      if (status === 503) {
        await new Promise((resolve) => setTimeout(resolve, 1_000));
        continue;
      }
      if (status !== 404) return answerIn(status, text, id);
      // Its home is gone. The call was not made.
      this.#session = undefined;
      this.lostSessions.push(Date.now());
      lost++;
    }
    throw new Error(lost < 5 ? 'its home did not answer' : 'no session was kept');
  }

  async #initialize() {
    const id = ++this.#lastId;
    const clientInfo = { name: 'cluster', version: '1' };
    const params = { protocolVersion: '2025-11-25', capabilities: {}, clientInfo };
    const { headers, text } = await this.#send({}, { id, method: 'initialize', params });
    if (!headers['mcp-session-id']) throw new Error(`no session: ${text.slice(0, 200)}`);
    this.#session = headers['mcp-session-id'];
    await this.#send({ 'mcp-session-id': this.#session }, { method: 'notifications/initialized' });
  }

  async #stateless(tool, n) {
    const id = ++this.#lastId;
    const key = 'io.modelcontextprotocol';
    const meta = {
      [`${key}/protocolVersion`]: STATELESS,
      [`${key}/clientInfo`]: { name: 'cluster', version: '1' },
      [`${key}/clientCapabilities`]: {},
    };
    const headers = {
      'mcp-protocol-version': STATELESS,
      'mcp-method': 'tools/call',
      'mcp-name': tool,
    };
    const params = { name: tool, arguments: { n }, _meta: meta };
    const { status, text } = await this.#send(headers, { id, method: 'tools/call', params });
    return answerIn(status, text, id);
  }

  #send(headers, message) {
    const { url, key } = this.#options;
    const authorization = `Bearer ${key}`;
    return post(url, { ...headers, authorization }, { jsonrpc: '2.0', ...message });
  }
}

/** `ok`, `refused` by a rule, `failed` with an error, or `wrong`. */
function judged(answer, tool, n) {
  const { result, error } = answer;
  if (error) {
    const code = error.data?.code ?? String(error.code);
    const isRule = ['limit-reached', 'not-approved'].includes(code);
    return { is: isRule ? 'refused' : 'failed', reason: `${code}: ${error.message}` };
  }
  const expected = `${tool.split(':')[1]} ${n}`;
  const said = result.content?.[0]?.text;
  return said === expected
    ? { is: 'ok' }
    : { is: 'wrong', reason: `${said} instead of ${expected}` };
}
