/** One HTTP request with full control of its headers, and its response, whole or event by event. */

import { request, type IncomingHttpHeaders, type IncomingMessage } from 'node:http';

import type { Json } from './json-tree.js';

export interface Ask {
  readonly method?: string;
  readonly headers?: Readonly<Record<string, string>>;
  readonly body?: string | Buffer;
}

export interface StreamEvent {
  readonly id: string | undefined;
  readonly event: string | undefined;
  readonly data: string;
}

export interface Reply {
  readonly status: number;
  readonly headers: IncomingHttpHeaders;
  readonly text: string;
  /** The body's JSON, or that of the last event. */
  readonly json: Json;
}

/** An exchange under way. */
export class Exchange {
  /** Resolves when the headers have arrived. */
  readonly response: Promise<IncomingMessage>;
  /** Resolves when the body has ended, or was cut off. */
  readonly ended: Promise<void>;
  readonly events: StreamEvent[] = [];
  text = '';
  readonly #listeners = new Set<(event: StreamEvent) => void>();
  readonly #destroy: () => void;
  #rest = '';

  constructor(url: string, { method = 'POST', headers = {}, body }: Ask) {
    const outgoing = request(url, { method, headers, agent: false });
    this.#destroy = () => outgoing.destroy();
    this.response = new Promise((resolve, reject) => {
      outgoing.once('response', resolve).once('error', reject);
    });
    this.response.catch(() => undefined);
    this.ended = this.response.then(
      (response) =>
        new Promise<void>((resolve) => {
          response.setEncoding('utf8').on('data', (text: string) => this.#take(text));
          response.once('close', () => resolve());
        }),
      () => undefined,
    );
    outgoing.end(body);
  }

  /** Cuts the connection. */
  cut(): void {
    this.#destroy();
  }

  onEvent(listener: (event: StreamEvent) => void): void {
    for (const event of this.events) listener(event);
    this.#listeners.add(listener);
  }

  /** The first event, past or future, that `test` accepts. */
  event(accept: (event: StreamEvent) => boolean, ms: number = 90_000): Promise<StreamEvent> {
    return new Promise((resolve, reject) => {
      const timer = setTimeout(() => reject(new Error(`no such event: ${this.text}`)), ms);
      this.onEvent((event) => {
        if (!accept(event)) return;
        clearTimeout(timer);
        resolve(event);
      });
    });
  }

  /** The first message among the events that has this method, or is the answer to this id. */
  message(wanted: { method: string } | { id: unknown }): Promise<StreamEvent> {
    const [[key, value]] = Object.entries(wanted) as [[string, unknown]];
    return this.event(
      ({ data }) =>
        data.startsWith('{') && (JSON.parse(data) as Record<string, unknown>)[key] === value,
    );
  }

  async reply(): Promise<Reply> {
    const response = await this.response;
    await this.ended;
    const last = this.events.findLast(({ data }) => data !== '')?.data ?? this.text;
    return {
      status: response.statusCode!,
      headers: response.headers,
      text: this.text,
      json: last.startsWith('{') || last.startsWith('[') ? JSON.parse(last) : undefined,
    };
  }

  #take(text: string): void {
    this.text += text;
    this.#rest += text;
    if (!text.includes('\n')) return;
    const blocks = this.#rest.split('\n\n');
    this.#rest = blocks.pop()!;
    for (const block of blocks) {
      const fields = new Map(
        block.split('\n').map((line) => {
          const colon = line.indexOf(':');
          return [line.slice(0, colon), line.slice(colon + 1).trimStart()] as const;
        }),
      );
      if (!fields.has('data')) continue;
      const event = { id: fields.get('id'), event: fields.get('event'), data: fields.get('data')! };
      this.events.push(event);
      for (const listen of this.#listeners) listen(event);
    }
  }
}

export function exchange(url: string, ask: Ask): Promise<Reply> {
  return new Exchange(url, ask).reply();
}
