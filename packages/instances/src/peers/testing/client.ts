/**
 * A client of the session era for tests. Each request goes to the address that the test chooses.
 */

export interface Sent {
  /** The HTTP status. */
  readonly status: number;
  readonly body: unknown;
}

export class Client {
  readonly #who: string;
  /** The id of the session, which `initialize` sets. */
  session: string | undefined;
  #lastId = 0;

  constructor(who = 'ann') {
    this.#who = who;
  }

  headers(): Record<string, string> {
    return {
      accept: 'application/json, text/event-stream',
      'content-type': 'application/json',
      authorization: `Bearer ${this.#who}`,
      ...(this.session === undefined ? {} : { 'mcp-session-id': this.session }),
    };
  }

  async initialize(url: string): Promise<void> {
    const response = await this.post(url, 'initialize', {
      protocolVersion: '2025-11-25',
      capabilities: { elicitation: {} },
      clientInfo: { name: 'test', version: '1' },
    });
    await response.text();
    this.session = response.headers.get('mcp-session-id') ?? undefined;
    await this.send(url, { jsonrpc: '2.0', method: 'notifications/initialized' });
  }

  post(url: string, method: string, params: object = {}): Promise<Response> {
    return this.send(url, { jsonrpc: '2.0', id: ++this.#lastId, method, params });
  }

  send(url: string, message: object): Promise<Response> {
    return fetch(url, { method: 'POST', headers: this.headers(), body: JSON.stringify(message) });
  }

  /** Calls the tool `s:work` and returns its answer. */
  async call(url: string): Promise<Sent> {
    const response = await this.post(url, 'tools/call', { name: 's:work', arguments: {} });
    return { status: response.status, body: lastMessage(await response.text()) };
  }

  get(url: string, lastEventId?: string): Promise<Response> {
    const { 'content-type': _, ...headers } = this.headers();
    const resumed = lastEventId === undefined ? {} : { 'last-event-id': lastEventId };
    return fetch(url, { headers: { ...headers, ...resumed } });
  }

  delete(url: string): Promise<Response> {
    return fetch(url, { method: 'DELETE', headers: this.headers() });
  }
}

/** The last message of a response, which is JSON or a stream of events. */
export function lastMessage(text: string): unknown {
  if (text.startsWith('{')) return JSON.parse(text);
  const data = text.split('\n').findLast((line) => /^data: ./.test(line));
  return data === undefined ? undefined : JSON.parse(data.slice('data: '.length));
}

/** Reads a stream until the text is in it. Returns everything that came. */
export async function readUntil(
  reader: ReadableStreamDefaultReader<Uint8Array>,
  text: string,
): Promise<string> {
  const decoder = new TextDecoder();
  let all = '';
  while (!all.includes(text)) {
    const { value, done } = await reader.read();
    if (done) break;
    all += decoder.decode(value, { stream: true });
  }
  return all;
}
