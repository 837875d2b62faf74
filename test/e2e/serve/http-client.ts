/** A minimal client over HTTP in the session era. */

import type { Answer, Tool, ToolResult } from './line-client.js';

export class HttpClient {
  readonly #url: string;
  #session: string | undefined;
  #lastId = 0;

  constructor(url: string) {
    this.#url = url;
  }

  /** The handshake. Returns the status if it is refused. */
  async greet(name = 'test'): Promise<number> {
    const clientInfo = { name, version: '1' };
    const params = { protocolVersion: '2025-11-25', capabilities: {}, clientInfo };
    const response = await this.#post({ id: ++this.#lastId, method: 'initialize', params });
    this.#session = response.headers.get('mcp-session-id') ?? undefined;
    await response.text();
    if (response.ok) await this.#post({ method: 'notifications/initialized' });
    return response.status;
  }

  call(name: string, args: object = {}): Promise<Answer<ToolResult>> {
    return this.#request('tools/call', { name, arguments: args });
  }

  async toolNames(): Promise<string[]> {
    const { result } = await this.#request<{ tools: Tool[] }>('tools/list');
    return result!.tools.map(({ name }) => name);
  }

  async #request<Result>(method: string, params?: object): Promise<Answer<Result>> {
    const response = await this.#post({ id: ++this.#lastId, method, params });
    const text = await response.text();
    // A stream ends with the answer.
    const data = text.split('\n').findLast((line) => line.startsWith('data: {'));
    return JSON.parse(data?.slice('data: '.length) ?? text) as Answer<Result>;
  }

  #post(message: object): Promise<Response> {
    return fetch(this.#url, {
      method: 'POST',
      headers: {
        'content-type': 'application/json',
        accept: 'application/json, text/event-stream',
        ...(this.#session === undefined ? {} : { 'mcp-session-id': this.#session }),
      },
      body: JSON.stringify({ jsonrpc: '2.0', ...message }),
    });
  }
}
