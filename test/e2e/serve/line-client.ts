/** A minimal client with one line per message. */

import type { Readable, Writable } from 'node:stream';

export interface Tool {
  readonly name: string;
  readonly title?: string;
  readonly annotations?: Readonly<Record<string, unknown>>;
}

export interface ToolResult {
  readonly content: readonly { readonly text: string }[];
  readonly structuredContent?: Readonly<Record<string, unknown>>;
  readonly _meta?: Readonly<Record<string, unknown>>;
}

export interface Answer<Result> {
  readonly result?: Result;
  readonly error?: { readonly code: number; readonly message: string };
}

export class LineClient {
  /** The methods of the notifications that came, in order. */
  readonly heard: string[] = [];
  /** Every received line. */
  readonly lines: string[] = [];
  readonly #output: Writable;
  readonly #waiting = new Map<number, (answer: Answer<never>) => void>();
  readonly #answers = new Map<string, object>();
  #lastId = 0;
  #rest = '';

  constructor(input: Readable, output: Writable) {
    this.#output = output;
    output.on('error', () => undefined);
    input.setEncoding('utf8');
    input.on('data', (text: string) => this.#take(text));
  }

  /** The handshake, under a client name. */
  async greet(name = 'test', version = '1.0.0', capabilities: object = {}): Promise<this> {
    await this.request('initialize', {
      protocolVersion: '2025-11-25',
      capabilities,
      clientInfo: { name, version },
    });
    this.#send({ method: 'notifications/initialized' });
    return this;
  }

  request<Result>(method: string, params?: object): Promise<Answer<Result>> {
    return new Promise((resolve) => {
      const id = ++this.#lastId;
      this.#waiting.set(id, resolve as (answer: Answer<never>) => void);
      this.#send({ id, method, params });
    });
  }

  /** Answers questions of this kind with a result. */
  answer(method: string, result: object): void {
    this.#answers.set(method, result);
  }

  notify(method: string, params: object): void {
    this.#send({ method, params });
  }

  call(name: string, args: object = {}): Promise<Answer<ToolResult>> {
    return this.request('tools/call', { name, arguments: args });
  }

  async tools(): Promise<Tool[]> {
    const { result, error } = await this.request<{ tools: Tool[] }>('tools/list');
    if (!result) throw new Error(error?.message);
    return result.tools;
  }

  async toolNames(): Promise<string[]> {
    return (await this.tools()).map(({ name }) => name);
  }

  /** The process that answers for a server. */
  async pid(server: string): Promise<number> {
    const { result, error } = await this.call(`${server}:pid`);
    if (!result) throw new Error(error?.message);
    return result.structuredContent!['pid'] as number;
  }

  #send(message: object): void {
    this.#output.write(`${JSON.stringify({ jsonrpc: '2.0', ...message })}\n`);
  }

  #take(text: string): void {
    const lines = (this.#rest + text).split('\n');
    this.#rest = lines.pop()!;
    for (const line of lines) {
      this.lines.push(line);
      const message = JSON.parse(line) as { id?: number; method?: string };
      const answer = this.#answers.get(message.method ?? '');
      if (answer && message.id !== undefined) this.#send({ id: message.id, result: answer });
      if (message.method !== undefined) this.heard.push(message.method);
      else {
        this.#waiting.get(message.id!)?.(message as Answer<never>);
        this.#waiting.delete(message.id!);
      }
    }
  }
}
