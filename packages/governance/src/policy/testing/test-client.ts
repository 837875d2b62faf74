/** A client that can be asked, in either era, over lines of JSON. It answers as the test says. */

import type { Readable, Writable } from 'node:stream';

import type { Era } from '@callsign/core';

type Json = Readonly<Record<string, unknown>>;

/** The form that the client is shown. */
export interface Form {
  readonly message: string;
  readonly requestedSchema: {
    readonly properties: { readonly answer: { readonly enum: readonly string[] } };
  };
}

/** The user's answer to a form: a result, or no answer. */
export type User = (form: Form) => Json | undefined;

export interface ClientOptions {
  /** Its capabilities. Default: it shows forms. */
  readonly capabilities?: Json;
  readonly user?: User;
  /** The name that it announces. */
  readonly name?: string;
}

export interface Outcome {
  readonly result?: Json & { readonly content?: readonly { readonly text: string }[] };
  readonly error?: { readonly message: string; readonly data?: Json };
}

/** Selects the first choice with this prefix. */
export function choosing(start: string): User {
  return ({ requestedSchema }) => ({
    action: 'accept',
    content: {
      answer: requestedSchema.properties.answer.enum.find((choice) => choice.startsWith(start)),
    },
  });
}

export class TestClient {
  /** The forms that were shown, in order. */
  readonly shown: Form[] = [];
  /** Who answers. */
  user: User;
  readonly #era: Era;
  readonly #output: Writable;
  readonly #options: ClientOptions;
  readonly #waiting = new Map<number, (outcome: Outcome) => void>();
  #wakeUp: (() => void) | undefined;
  #greeted: Promise<unknown> | undefined;
  #lastId = 0;

  constructor(era: Era, input: Readable, output: Writable, options: ClientOptions) {
    this.#era = era;
    this.#output = output;
    this.#options = options;
    this.user = options.user ?? (() => undefined);
    let rest = '';
    input.setEncoding('utf8').on('data', (text: string) => {
      const lines = (rest + text).split('\n');
      rest = lines.pop()!;
      for (const line of lines) this.#take(JSON.parse(line) as Json);
    });
  }

  /** Calls a tool, answers its questions, and returns the final reply. */
  async call(name: string, args?: object, more: Json = {}): Promise<Outcome> {
    const params = { name, ...(args ? { arguments: args } : {}), ...more };
    const outcome = await this.request('tools/call', params);
    const { resultType, inputRequests, requestState } = outcome.result ?? {};
    if (resultType !== 'input_required') return outcome;
    const requests = Object.entries(inputRequests as Record<string, { params: Form }>);
    const answers = requests.map(([key, { params: form }]) => [key, this.#ask(form)] as const);
    if (answers.some(([, answer]) => answer === undefined)) return new Promise(() => undefined);
    const inputResponses = Object.fromEntries(answers);
    return this.call(name, args, { inputResponses, requestState });
  }

  async request(method: string, params: object): Promise<Outcome> {
    if (this.#era === 'session') await (this.#greeted ??= this.#greet());
    const { sent } = this.send(method, params);
    return sent;
  }

  /** Sends a request at once, and returns its id. */
  send(method: string, params: object): { readonly id: number; readonly sent: Promise<Outcome> } {
    const id = ++this.#lastId;
    const sent = new Promise<Outcome>((resolve) => this.#waiting.set(id, resolve));
    this.#write({ id, method, params: this.#era === 'session' ? params : this.#enveloped(params) });
    return { id, sent };
  }

  /** Sends the members of a request as written. */
  sendRaw(members: string): { readonly sent: Promise<Outcome> } {
    const id = ++this.#lastId;
    const sent = new Promise<Outcome>((resolve) => this.#waiting.set(id, resolve));
    this.#output.write(`{"jsonrpc":"2.0","id":${id},${members}}\n`);
    return { sent };
  }

  cancel(requestId: number): void {
    this.#write({ method: 'notifications/cancelled', params: { requestId } });
  }

  /** Resolves when a form is shown next. */
  asked(): Promise<void> {
    return new Promise((resolve) => {
      this.#wakeUp = resolve;
    });
  }

  close(): void {
    this.#output.end();
  }

  #greet(): Promise<Outcome> {
    const { sent } = this.send('initialize', {
      protocolVersion: '2025-11-25',
      capabilities: this.#capabilities(),
      clientInfo: { name: this.#options.name ?? 'test', version: '1' },
    });
    this.#write({ method: 'notifications/initialized' });
    return sent;
  }

  #enveloped(params: object): object {
    const prefix = 'io.modelcontextprotocol/';
    return {
      ...params,
      _meta: {
        [`${prefix}protocolVersion`]: '2026-07-28',
        [`${prefix}clientCapabilities`]: this.#capabilities(),
        [`${prefix}clientInfo`]: { name: this.#options.name ?? 'test', version: '1' },
      },
    };
  }

  #capabilities(): Json {
    return this.#options.capabilities ?? { elicitation: {} };
  }

  #take({ id, method, params, result, error }: Json): void {
    if (method === 'elicitation/create') {
      const answer = this.#ask(params as Form);
      if (answer !== undefined) this.#write({ id, result: answer });
    } else if (method === undefined) {
      this.#waiting.get(id as number)?.({ result, error } as Outcome);
      this.#waiting.delete(id as number);
    }
  }

  #ask(form: Form): Json | undefined {
    this.shown.push(form);
    this.#wakeUp?.();
    return this.user(form);
  }

  #write(message: object): void {
    this.#output.write(`${JSON.stringify({ jsonrpc: '2.0', ...message })}\n`);
  }
}
