/** A raw client over HTTP: sessions with a POST per message, or independent stateless requests. */

import { Exchange, type Reply } from './http-exchange.js';
import { rawMember } from './json-tree.js';
import {
  envelope,
  initializeMembers,
  notificationText,
  requestText,
  SESSION_VERSION,
  STATELESS_VERSION,
  type Answer,
  type ClientOptions,
  type Era,
  type Note,
  type Peer,
  type Question,
} from './peer.js';

export const BOTH = 'application/json, text/event-stream';
const NAMED = new Map([
  ['tools/call', 'name'],
  ['prompts/get', 'name'],
  ['resources/read', 'uri'],
  ['tasks/get', 'taskId'],
  ['tasks/update', 'taskId'],
  ['tasks/cancel', 'taskId'],
]);

/** The headers of a session's POST. */
export function sessionHeaders(session?: string): Record<string, string> {
  return {
    'content-type': 'application/json',
    accept: BOTH,
    'mcp-protocol-version': SESSION_VERSION,
    ...(session === undefined ? {} : { 'mcp-session-id': session }),
  };
}

/** The headers that repeat a stateless request. */
export function statelessHeaders(text: string): Record<string, string> {
  const { method, params } = JSON.parse(text) as {
    method: string;
    params?: Record<string, string>;
  };
  const name = params?.[NAMED.get(method) ?? ''];
  const isPlain = name !== undefined && /^[\x21-\x7e]+$/.test(name);
  return {
    'content-type': 'application/json',
    accept: BOTH,
    'mcp-protocol-version': STATELESS_VERSION,
    'mcp-method': method,
    ...(name === undefined
      ? {}
      : { 'mcp-name': isPlain ? name : `=?base64?${Buffer.from(name).toString('base64')}?=` }),
  };
}

let lastId = 0;

export class HttpPeer implements Peer {
  readonly era: Era;
  readonly url: string;
  readonly notes: Note[] = [];
  session: string | undefined;
  readonly #client: ClientOptions;
  readonly #headers: Readonly<Record<string, string>>;
  #own: Exchange | undefined;

  constructor(
    url: string,
    era: Era,
    client: ClientOptions = {},
    headers: Readonly<Record<string, string>> = {},
  ) {
    this.url = url;
    this.era = era;
    this.#client = client;
    this.#headers = headers;
  }

  async open(): Promise<Answer> {
    if (this.era === 'stateless') return this.request('server/discover');
    const members = initializeMembers(this.#client);
    const sent = this.#post(requestText(`${++lastId}`, 'initialize', members, ''));
    const reply = await sent.reply();
    this.session = reply.headers['mcp-session-id'] as string;
    await this.notify('notifications/initialized');
    return answerOf(reply.text, [], []);
  }

  /** Opens the stream for what belongs to no request. */
  async listen(headers: Record<string, string> = {}): Promise<Exchange> {
    this.#own = this.get(headers);
    await this.#own.response;
    this.#own.onEvent(({ data }) => void this.#hear(data, this.notes, []));
    return this.#own;
  }

  get(headers: Record<string, string> = {}): Exchange {
    const all = { ...sessionHeaders(this.session), ...this.#headers, ...headers };
    return new Exchange(this.url, { method: 'GET', headers: all });
  }

  /** Sends a request and returns the exchange while it runs. */
  start(method: string, members = '', meta = '', id = `${++lastId}`): Exchange & { id: string } {
    const text = requestText(id, method, members, this.#meta(meta));
    return Object.assign(this.#post(text), { id });
  }

  async request(method: string, members = '', meta = ''): Promise<Answer> {
    const sent = this.start(method, members, meta);
    const notes: Note[] = [];
    const questions: Question[] = [];
    let answer: string | undefined;
    sent.onEvent(({ data }) => {
      if (data !== '' && rawMember(data, 'method') === undefined) answer = data;
      else void this.#hear(data, notes, questions);
    });
    await sent.reply();
    this.notes.push(...notes);
    return answerOf(answer ?? sent.text, notes, questions);
  }

  async notify(method: string, members = ''): Promise<void> {
    const meta = this.era === 'stateless' ? `"_meta":{${envelope(this.#client)}}` : '';
    const all = [members, meta].filter((part) => part !== '').join(',');
    await this.#post(notificationText(method, all)).reply();
  }

  async end(): Promise<Reply> {
    const headers = { ...sessionHeaders(this.session), ...this.#headers };
    return new Exchange(this.url, { method: 'DELETE', headers }).reply();
  }

  async close(): Promise<void> {
    this.#own?.cut();
    if (this.session !== undefined) await this.end();
  }

  #post(text: string): Exchange {
    const headers = this.era === 'session' ? sessionHeaders(this.session) : statelessHeaders(text);
    return new Exchange(this.url, { headers: { ...headers, ...this.#headers }, body: text });
  }

  #meta(meta: string): string {
    if (this.era === 'session') return meta;
    return [meta, envelope(this.#client)].filter((part) => part !== '').join(',');
  }

  async #hear(data: string, notes: Note[], questions: Question[]): Promise<void> {
    const method = data === '' ? undefined : rawMember(data, 'method');
    if (method === undefined) return;
    const note = { method: JSON.parse(method) as string, params: rawMember(data, 'params') };
    const id = rawMember(data, 'id');
    if (id === undefined) return void notes.push(note);
    questions.push(note);
    const result = (await this.#client.answer?.(note)) ?? '{}';
    await this.#post(`{"jsonrpc":"2.0","id":${id},"result":${result}}`).reply();
  }
}

function answerOf(text: string, notes: readonly Note[], questions: readonly Question[]): Answer {
  return {
    text,
    result: rawMember(text, 'result'),
    error: rawMember(text, 'error'),
    notes,
    questions,
  };
}
