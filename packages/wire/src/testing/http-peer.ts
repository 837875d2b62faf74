/** Real HTTP servers on loopback for tests, and a recorder for our end of a channel. */

import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { createServer, type IncomingMessage, type ServerResponse } from 'node:http';
import type { AddressInfo } from 'node:net';
import { createInterface } from 'node:readline';
import { text as readAll } from 'node:stream/consumers';

import { fixtureFile, type FixtureName } from '../../../../test/testing/fixture.js';
import { requestText } from '../rpc/message/rpc-text.js';
import type { Channel, OpenChannel, Outgoing } from '../rpc/stream/channel.js';

/** A fixture of `test/fixtures`, as a process of its own. */
export async function startFixture(
  name: FixtureName,
  ...args: readonly string[]
): Promise<{ readonly url: string; stop(): Promise<void> }> {
  const child = spawn(process.execPath, [fixtureFile(name), ...args], {
    stdio: ['pipe', 'ignore', 'pipe'],
  });
  const gone = once(child, 'exit');
  for await (const line of createInterface({ input: child.stderr })) {
    const url = /^listening (.*)$/.exec(line)?.[1];
    if (url === undefined) continue;
    child.stderr.resume();
    const stop = async (): Promise<void> => {
      child.kill();
      await gone;
    };
    return { url, stop };
  }
  throw new Error(`${name} did not start`);
}

/** A request as a hand-written server gets it. */
export interface Seen {
  readonly method: string;
  readonly path: string;
  readonly headers: IncomingMessage['headers'];
  readonly body: string;
  /** The body as a message. */
  readonly message: Record<string, unknown>;
}

export interface HandServer {
  readonly url: string;
  readonly seen: Seen[];
  connections(): Promise<number>;
  close(): Promise<void>;
}

/** A server whose answers the test writes. */
export async function serveByHand(
  answer: (seen: Seen, res: ServerResponse, req: IncomingMessage) => unknown,
  port = 0,
): Promise<HandServer> {
  const seen: Seen[] = [];
  const server = createServer((req, res) => {
    void readAll(req).then((body) => {
      const message = body === '' ? {} : (JSON.parse(body) as Record<string, unknown>);
      const { method = '', url: path = '', headers } = req;
      const one: Seen = { method, path, headers, body, message };
      seen.push(one);
      return answer(one, res, req);
    });
  });
  await new Promise<void>((resolve) => {
    server.listen(port, '127.0.0.1', resolve);
  });
  return {
    url: `http://127.0.0.1:${(server.address() as AddressInfo).port}/mcp`,
    seen,
    connections: () =>
      new Promise((resolve, reject) => {
        server.getConnections((error, count) => (error ? reject(error) : resolve(count)));
      }),
    close: async () => {
      server.closeAllConnections();
      await new Promise((resolve) => {
        server.close(resolve);
      });
    },
  };
}

export interface Heard {
  readonly message: Record<string, unknown>;
  readonly text: string;
  readonly about: number | undefined;
}

/** Records what a channel delivers. */
export class Ear {
  readonly heard: Heard[] = [];
  readonly closed: string[] = [];
  readonly channel: Channel;
  #lastId = 0;
  #wake = new Set<() => void>();

  constructor(open: OpenChannel) {
    this.channel = open({
      onText: (text, about) => {
        const message = JSON.parse(text) as Record<string, unknown>;
        this.heard.push({ message, text, about });
        this.#tell();
        return true;
      },
      onClose: (reason) => {
        this.closed.push(reason);
        this.#tell();
      },
    });
  }

  /** Sends a request and returns its id. */
  ask(method: string, params?: object, about: Outgoing = {}): number {
    const id = ++this.#lastId;
    const text = params === undefined ? undefined : JSON.stringify(params);
    const rest = text === undefined ? {} : { params: text };
    this.channel.send(requestText(id, method, text), { id, method, ...rest, ...about });
    return id;
  }

  tell(method: string, params?: object): void {
    this.channel.send(JSON.stringify({ jsonrpc: '2.0', method, params }), { method });
  }

  /** Waits for the answer to a request. */
  async answer(id: number): Promise<Record<string, unknown>> {
    const isAnswer = ({ message }: Heard): boolean =>
      message['id'] === id && message['method'] === undefined;
    await this.until(() => this.heard.some(isAnswer));
    return this.heard.find(isAnswer)!.message;
  }

  /** Asks and waits for the error. */
  async failure(method: string, params?: object): Promise<RpcError> {
    const { error } = await this.answer(this.ask(method, params));
    return error as RpcError;
  }

  async until(isSo: () => boolean, ms = 90_000): Promise<void> {
    const deadline = Date.now() + ms;
    while (!isSo()) {
      if (Date.now() > deadline) {
        throw new Error(`nothing came; received ${JSON.stringify([this.heard, this.closed])}`);
      }
      await new Promise<void>((resolve) => {
        const wake = (): void => {
          clearTimeout(timer);
          this.#wake.delete(wake);
          resolve();
        };
        const timer = setTimeout(wake, 50);
        this.#wake.add(wake);
      });
    }
  }

  /** The whole handshake of the session era. */
  async greet(): Promise<Record<string, unknown>> {
    const answer = await this.answer(this.ask('initialize', HELLO));
    this.tell('notifications/initialized');
    return answer;
  }

  #tell(): void {
    for (const wake of this.#wake) wake();
  }
}

export interface RpcError {
  readonly code: number;
  readonly message: string;
  readonly data?: Record<string, unknown>;
}

export const HELLO = {
  protocolVersion: '2025-11-25',
  capabilities: { elicitation: {} },
  clientInfo: { name: 'ear', version: '1' },
};

/** Answers with JSON. */
export function reply(
  res: ServerResponse,
  status: number,
  body: unknown,
  headers: Record<string, string> = {},
): void {
  res
    .writeHead(status, { 'content-type': 'application/json', ...headers })
    .end(JSON.stringify(body));
}

/** Answers the handshake, as any server would; false if the request is another one. */
export function replyToHandshake(
  { method, message }: Seen,
  res: ServerResponse,
  session = 's1',
): boolean {
  if (message['method'] === 'initialize') {
    const result = {
      protocolVersion: '2025-06-18',
      capabilities: { tools: {} },
      serverInfo: { name: 'by hand', version: '1' },
    };
    reply(res, 200, { jsonrpc: '2.0', id: message['id'], result }, { 'mcp-session-id': session });
  } else if (method === 'GET') res.writeHead(405).end();
  else if (method === 'DELETE') res.writeHead(200).end();
  else if (message['method'] === 'notifications/initialized') res.writeHead(202).end();
  else return false;
  return true;
}

/** Opens an event stream and returns a function that writes one event. */
export function streamOf(
  res: ServerResponse,
  headers: Record<string, string> = {},
): (data: unknown, fields?: string) => void {
  res.writeHead(200, { 'content-type': 'text/event-stream', ...headers }).flushHeaders();
  return (data, fields = '') => {
    res.write(`${fields}data: ${typeof data === 'string' ? data : JSON.stringify(data)}\n\n`);
  };
}
