/**
 * What a client has said and asked, so that a gateway that takes the place of another one can go on: the handshake, the
 * log level, subscriptions and open requests. Reads whole lines of both directions.
 */

import { answerId, EDGE, requestId } from '@callsign/wire/rpc/edge-id';

/** Requests that can be sent to another gateway if the first one did not answer. */
const REPEATABLE: ReadonlySet<string> = new Set(['initialize', 'subscriptions/listen']);

/** Most requests are calls, and of a call only the id counts. */
const CALL = Buffer.from('"method":"tools/call"');

interface Message {
  /** The whole message. */
  readonly text: string;
  /** As JSON text. */
  readonly id?: string | undefined;
  readonly method?: string | undefined;
  readonly params?: { readonly uri?: unknown; readonly requestId?: unknown };
  readonly result?: { readonly protocolVersion?: unknown; readonly capabilities?: object };
}

export class ClientState {
  /** The client's `initialize`, as a line. Missing for a client without sessions. */
  initialize: { readonly id: string; readonly line: string } | undefined;
  /** What the gateway answered. */
  agreed: { readonly version: unknown; readonly capabilities: object } | undefined;
  #isInitialized = false;
  #logLevel: string | undefined;
  readonly #subscriptions = new Map<string, string>();
  /** Requests without an answer, by id. The line is kept if the request can be sent again. */
  readonly #open = new Map<string, string | undefined>();

  fromClient(line: Buffer): void {
    const called = line.includes(CALL) ? idAtEdge(line, requestId) : undefined;
    if (called !== undefined) {
      this.#open.set(called, undefined);
      return;
    }
    for (const message of messagesIn(line)) this.#note(message);
  }

  #note({ id, method, params, text }: Message): void {
    if (method === undefined) return;
    if (id === undefined) {
      if (method === 'notifications/initialized') this.#isInitialized = true;
      if (method === 'notifications/cancelled')
        this.#open.delete(JSON.stringify(params?.requestId));
      return;
    }
    if (method === 'initialize') this.initialize = { id, line: text };
    else if (method === 'logging/setLevel') this.#logLevel = text;
    else if (method === 'resources/subscribe') this.#subscriptions.set(String(params?.uri), text);
    else if (method === 'resources/unsubscribe') this.#subscriptions.delete(String(params?.uri));
    this.#open.set(id, REPEATABLE.has(method) ? text : undefined);
  }

  fromGateway(line: Buffer): void {
    if (this.#open.size === 0) return;
    const answered = this.agreed ? idAtEdge(line, answerId) : undefined;
    if (answered !== undefined) {
      this.#open.delete(answered);
      return;
    }
    for (const { id, method, result } of messagesIn(line)) {
      if (id === undefined || method !== undefined || !this.#open.delete(id)) continue;
      if (id === this.initialize?.id && !this.agreed && result) {
        this.agreed = { version: result.protocolVersion, capabilities: result.capabilities ?? {} };
      }
    }
  }

  /** The ids of requests that cannot be sent again. They are no longer open. */
  takeLost(): string[] {
    const lost = [...this.#open].flatMap(([id, line]) => (line === undefined ? [id] : []));
    for (const id of lost) this.#open.delete(id);
    return lost;
  }

  /** Whether the client waits for the answer to its `initialize`. It sends nothing else until then. */
  get isGreeting(): boolean {
    return this.initialize !== undefined && this.#open.has(this.initialize.id);
  }

  /** The ids of all requests. None is open any more. */
  takeAll(): string[] {
    const all = [...this.#open.keys()];
    this.#open.clear();
    return all;
  }

  /** Lines that a new gateway gets after the handshake. Those with an id are repeated under the ids of `own`. */
  repeated(own: () => string): string[] {
    const again = [this.#logLevel, ...this.#subscriptions.values()].filter(
      (line) => line !== undefined,
    );
    return [
      ...(this.#isInitialized ? ['{"jsonrpc":"2.0","method":"notifications/initialized"}'] : []),
      ...again.map((line) => JSON.stringify({ ...(JSON.parse(line) as object), id: own() })),
      ...[...this.#open.values()].filter((line) => line !== undefined),
    ];
  }
}

/** The id of a message, if it can be found at one of its ends. Much faster than parsing the message. */
function idAtEdge(
  line: Buffer,
  edge: (head: string, tail: string) => string | undefined,
): string | undefined {
  const head = line.toString('latin1', 0, EDGE);
  return edge(head, line.length <= EDGE ? head : line.toString('latin1', line.length - EDGE));
}

/** The messages of a line, or of the batch that it is, as far as they count here. None if it cannot be read. */
export function messagesIn(line: Buffer): readonly Message[] {
  // Some clients begin with a byte order mark.
  const text = line.toString().replace(/^\uFEFF/, '');
  try {
    const value = JSON.parse(text) as unknown;
    if (!Array.isArray(value)) return [messageOf(value, text)];
    return value.map((each: unknown) => messageOf(each, JSON.stringify(each)));
  } catch {
    return [];
  }
}

function messageOf(value: unknown, text: string): Message {
  const { id, method, params, result } = (value ?? {}) as Omit<Message, 'id'> & {
    readonly id?: unknown;
  };
  return {
    text,
    id: id === undefined ? undefined : JSON.stringify(id),
    method,
    ...(params ? { params } : {}),
    ...(result ? { result } : {}),
  };
}
