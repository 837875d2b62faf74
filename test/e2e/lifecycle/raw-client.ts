/** A raw JSON-RPC client: it sends what the test says, and records everything that it receives. */

import type { Readable, Writable } from 'node:stream';

export interface ClientOptions {
  /** The declared capabilities. */
  readonly capabilities?: object;
  readonly name?: string;
  /** A credential to show over HTTP. */
  readonly token?: string;
}

export interface Message {
  readonly jsonrpc: string;
  readonly id?: string | number | null;
  readonly method?: string;
  readonly params?: Record<string, unknown>;
  readonly result?: Record<string, unknown>;
  readonly error?: RpcError;
}

interface RpcError {
  readonly code: number;
  readonly message: string;
  readonly data?: Record<string, unknown>;
}

/** Handles a request or a notification of the gateway. Its return value is the result. */
export type Handler = (params: Record<string, unknown>, message: Message) => unknown;

export abstract class RawClient {
  /** Notifications and requests of the gateway, in the order of their arrival. */
  readonly received: Message[] = [];
  protected readonly options: ClientOptions;
  readonly #handlers = new Map<string, Handler>();
  readonly #waiting = new Map<string, (message: Message) => void>();
  #lastId = 0;
  #failure: Message | undefined;

  constructor(options: ClientOptions) {
    this.options = options;
  }

  /** Closes the connection. */
  abstract close(): void;
  /** Disconnects as the transport defines it. */
  abstract leave(): Promise<void>;
  protected abstract send(message: object): void;

  async handshake(): Promise<Message> {
    const { capabilities = {}, name = 'raw-client' } = this.options;
    const clientInfo = { name, version: '1' };
    const params = { protocolVersion: '2025-11-25', capabilities, clientInfo };
    const answer = await this.request('initialize', params);
    this.notify('notifications/initialized');
    return answer;
  }

  /** Sends a request and returns the whole answer, result or error. */
  request(method: string, params?: object, id: string | number = ++this.#lastId): Promise<Message> {
    if (this.#failure) return Promise.resolve(this.#failure);
    return new Promise((resolve) => {
      this.#waiting.set(JSON.stringify(id), resolve);
      this.send({ jsonrpc: '2.0', id, method, ...(params ? { params } : {}) });
    });
  }

  /** Waits for the answer to a request that is sent by other means. */
  protected answerTo(id: string | number): Promise<Message> {
    return new Promise((resolve) => {
      this.#waiting.set(JSON.stringify(id), resolve);
    });
  }

  notify(method: string, params?: object): void {
    this.send({ jsonrpc: '2.0', method, ...(params ? { params } : {}) });
  }

  on(method: string, handler: Handler): void {
    this.#handlers.set(method, handler);
  }

  call(name: string, args: object = {}, more: object = {}): Promise<Message> {
    return this.request('tools/call', { name, arguments: args, ...more });
  }

  /** The result of a call that must not fail. */
  async result(name: string, args: object = {}): Promise<Record<string, unknown>> {
    const { result, error } = await this.call(name, args);
    if (!result) throw new Error(`${name} failed: ${JSON.stringify(error)}`);
    return result;
  }

  /** The names of all current tools. */
  async tools(): Promise<string[]> {
    const { result, error } = await this.request('tools/list');
    if (!result) throw new Error(`tools/list failed: ${JSON.stringify(error)}`);
    return (result['tools'] as { name: string }[]).map(({ name }) => name);
  }

  /** Called when no more answers can come. Waiting requests fail with the reason. */
  fail(message: string): void {
    const failure = { jsonrpc: '2.0', error: { code: 0, message } };
    this.#failure = failure;
    for (const resolve of this.#waiting.values()) resolve(failure);
    this.#waiting.clear();
  }

  /** How often the gateway has sent this method. */
  count(method: string): number {
    return this.received.filter((message) => message.method === method).length;
  }

  protected receive(message: Message): void {
    const { id, method, params = {} } = message;
    if (method === undefined) {
      const key = JSON.stringify(id);
      const resolve = this.#waiting.get(key);
      this.#waiting.delete(key);
      if (resolve) resolve(message);
      else this.received.push(message);
      return;
    }
    this.received.push(message);
    const handler = this.#handlers.get(method);
    if (id === undefined) handler?.(params, message);
    else void this.#answer(id, handler?.(params, message));
  }

  async #answer(id: Message['id'], result: unknown): Promise<void> {
    const value = await result;
    const error = { code: -32601, message: 'The test does not answer this' };
    this.send({ jsonrpc: '2.0', id, ...(value === undefined ? { error } : { result: value }) });
  }
}

/** The client at the other end of two pipes: one message, one line. */
export class LineClient extends RawClient {
  /** All lines, as received. */
  readonly lines: string[] = [];
  /** Lines that were no JSON-RPC message. */
  readonly noise: string[] = [];
  readonly #out: Writable;
  #rest = '';

  constructor(input: Readable, out: Writable, options: ClientOptions = {}) {
    super(options);
    this.#out = out;
    input.setEncoding('utf8');
    input.on('data', (text: string) => {
      const lines = (this.#rest + text).split('\n');
      this.#rest = lines.pop()!;
      for (const line of lines) this.#take(line);
    });
  }

  override close(): void {
    this.#out.end();
  }

  override async leave(): Promise<void> {
    this.close();
  }

  /** Sends a request as it is written. */
  sendText(text: string, id: string | number): Promise<Message> {
    this.#out.write(`${text}\n`);
    return this.answerTo(id);
  }

  protected override send(message: object): void {
    this.#out.write(`${JSON.stringify(message)}\n`);
  }

  #take(line: string): void {
    this.lines.push(line);
    let message: Message | undefined;
    try {
      message = JSON.parse(line) as Message;
    } catch {
      // Kept below.
    }
    if (message?.jsonrpc === '2.0') this.receive(message);
    else this.noise.push(line);
  }
}
