/**
 * The raw client over Streamable HTTP: a POST for each message, and a GET for messages that belong
 * to no request.
 */

import { Agent, request as httpRequest, type IncomingMessage } from 'node:http';

import { RawClient, type ClientOptions, type Message } from './raw-client.js';

const MAX_SOCKETS = 64;

export class HttpClient extends RawClient {
  readonly #url: string;
  readonly #agent = new Agent({ keepAlive: true, maxSockets: MAX_SOCKETS });
  #session: string | undefined;

  constructor(url: string, options: ClientOptions = {}) {
    super(options);
    this.#url = url;
  }

  override async handshake(): Promise<Message> {
    const answer = await super.handshake();
    await this.#listen();
    return answer;
  }

  override close(): void {
    this.#agent.destroy();
  }

  override leave(): Promise<void> {
    return new Promise((resolve, reject) => {
      const goodbye = this.#open('DELETE', (response) => {
        response.resume().once('end', () => resolve());
      });
      goodbye.once('error', reject);
      goodbye.end();
    });
  }

  protected override send(message: object): void {
    this.#exchange('POST', message).catch((error: unknown) => {
      // The request gets the reason as its answer. Otherwise its test waits for ever.
      const { id } = message as Partial<Message>;
      const why = `The connection failed: ${String(error)}`;
      if (id !== undefined) this.receive({ jsonrpc: '2.0', id, error: { code: 0, message: why } });
    });
  }

  /** Sends many messages as one. */
  sendBatch(messages: readonly object[]): Promise<Message[]> {
    return new Promise((resolve, reject) => {
      const post = this.#open('POST', (response) => {
        const answers: Message[] = [];
        this.#read(response, (message) => answers.push(message)).then(
          () => resolve(answers),
          reject,
        );
      });
      post.once('error', reject);
      post.end(JSON.stringify(messages));
    });
  }

  /** Opens the stream for notifications; resolves when it is open. */
  #listen(): Promise<void> {
    return new Promise((resolve, reject) => {
      const get = this.#open('GET', (response) => {
        resolve();
        this.#read(response, (message) => this.receive(message)).catch(() => undefined);
      });
      get.once('error', reject);
      get.end();
    });
  }

  #exchange(method: 'POST', message: object): Promise<void> {
    return new Promise((resolve, reject) => {
      const post = this.#open(method, (response) => {
        const session = response.headers['mcp-session-id'];
        if (typeof session === 'string') this.#session ??= session;
        this.#read(response, (each) => this.receive(each)).then(resolve, reject);
      });
      post.once('error', reject);
      post.end(JSON.stringify(message));
    });
  }

  #open(method: string, onResponse: (response: IncomingMessage) => void) {
    const headers = {
      accept: method === 'GET' ? 'text/event-stream' : 'application/json, text/event-stream',
      ...(method === 'GET' ? {} : { 'content-type': 'application/json' }),
      ...(this.#session === undefined ? {} : { 'mcp-session-id': this.#session }),
      ...(this.options.token === undefined
        ? {}
        : { authorization: `Bearer ${this.options.token}` }),
    };
    return httpRequest(this.#url, { method, headers, agent: this.#agent }, onResponse);
  }

  /** Passes on every message of an answer, which is a JSON body or a stream of events. */
  async #read(response: IncomingMessage, take: (message: Message) => void): Promise<void> {
    const isStream = response.headers['content-type'] === 'text/event-stream';
    response.setEncoding('utf8');
    let text = '';
    let last = '';
    for await (const chunk of response as AsyncIterable<string>) {
      // An event of several megabytes comes in many chunks. Searching all of it for each would take minutes.
      const isWhole = (last + chunk).includes('\n\n');
      text += chunk;
      last = chunk.at(-1) ?? last;
      if (!isStream || !isWhole) continue;
      const events = text.split('\n\n');
      text = events.pop()!;
      for (const event of events) {
        // No pattern: on some megabytes, it may need more stack than there is.
        const data = event.split('\n').find((line) => line.startsWith('data: '));
        // The first event of a stream is empty.
        const json = data?.slice('data: '.length) ?? '';
        if (json !== '') take(JSON.parse(json) as Message);
      }
    }
    if (isStream || text === '') return;
    const parsed = JSON.parse(text) as Message | Message[];
    for (const message of Array.isArray(parsed) ? parsed : [parsed]) take(message);
  }
}
