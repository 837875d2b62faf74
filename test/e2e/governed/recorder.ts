/** A client over HTTP in either era that records every received byte and every text that it sent. */

import { onTestFinished } from 'vitest';

import { Exchange } from '../clients/http-exchange.js';
import { sessionHeaders, statelessHeaders } from '../clients/http-peer.js';
import { envelope, initializeMembers, type Era } from '../clients/peer.js';
import type { Json } from '../clients/json-tree.js';

const LOG_LEVEL = '"io.modelcontextprotocol/logLevel":"debug"';

export class Recorder {
  readonly era: Era;
  readonly #url: string;
  readonly #token: string;
  readonly #exchanges: Exchange[] = [];
  readonly #said = new Set<string>();
  #session: string | undefined;
  #lastId = 0;

  constructor(era: Era, url: string, token: string) {
    this.era = era;
    this.#url = url;
    this.#token = token;
  }

  /** Does the handshake, and opens the stream for messages that belong to no request. */
  async open(uris: readonly string[]): Promise<void> {
    if (this.era === 'session') {
      const body = `{"jsonrpc":"2.0","id":"i","method":"initialize","params":{${initializeMembers({})}}}`;
      const { headers } = await this.#post(body).reply();
      this.#session = headers['mcp-session-id'] as string;
      this.send('notifications/initialized', {});
      const stream = this.#keep({ method: 'GET' });
      await stream.response;
      await this.send('logging/setLevel', { level: 'debug' }).reply();
      for (const uri of uris) await this.send('resources/subscribe', { uri }).reply();
    } else {
      for (const uri of uris) this.#remember(uri);
      const notifications = {
        toolsListChanged: true,
        promptsListChanged: true,
        resourcesListChanged: true,
        resourceSubscriptions: uris,
      };
      await this.send('subscriptions/listen', { notifications }).response;
    }
  }

  /** Sends a request, or a notification, with a progress token, and asks for all logs. */
  send(method: string, params: object): Exchange {
    this.#remember(params);
    const isNotification = method.startsWith('notifications/');
    const id = isNotification ? '' : `"id":"r${++this.#lastId}",`;
    const meta =
      this.era === 'stateless'
        ? `{${envelope({})},${LOG_LEVEL},"progressToken":${this.#lastId}}`
        : `{"progressToken":${this.#lastId}}`;
    const members = JSON.stringify(params).slice(1, -1);
    const all = [...(members === '' ? [] : [members]), `"_meta":${meta}`].join(',');
    return this.#post(`{"jsonrpc":"2.0",${id}"method":"${method}","params":{${all}}}`);
  }

  async request(method: string, params: object): Promise<Json> {
    return (await this.send(method, params).reply()).json;
  }

  /**
   * Everything that was received, without the texts that the client sent, because errors repeat
   * them.
   */
  heard(): string {
    let text = this.#exchanges.map((each) => each.text).join('\n');
    // The longest first, because one text may be part of another.
    for (const word of [...this.#said].toSorted((a, b) => b.length - a.length)) {
      text = text.replaceAll(JSON.stringify(word).slice(1, -1), '');
    }
    return text;
  }

  #remember(value: unknown): void {
    if (typeof value === 'string') this.#said.add(value);
    else if (typeof value === 'object' && value !== null)
      for (const each of Object.values(value)) this.#remember(each);
  }

  #post(body: string): Exchange {
    return this.#keep({ body });
  }

  #keep({ method = 'POST', body }: { method?: string; body?: string }): Exchange {
    const own =
      this.era === 'session' || body === undefined
        ? sessionHeaders(this.#session)
        : statelessHeaders(body);
    const headers = { ...own, authorization: `Bearer ${this.#token}` };
    const kept = new Exchange(this.#url, { method, headers, ...(body ? { body } : {}) });
    onTestFinished(() => kept.cut());
    this.#exchanges.push(kept);
    return kept;
  }
}
