/** A sandbox Lightdash: a real HTTP server on the loopback interface, with made-up data and faults on demand. */

import {
  createServer,
  type IncomingHttpHeaders,
  type IncomingMessage,
  type Server,
} from 'node:http';
import type { ServerResponse } from 'node:http';
import type { AddressInfo } from 'node:net';

import { ApiProblem } from './api-problem.js';
import { Faults, FAULTS, refusalOf, send } from './fault.js';
import type { Fault, FaultRule, Intended } from './fault.js';
import { answerCall } from './route.js';
import { PEOPLE_ROUTES } from './routes/people-routes.js';
import { PROJECT_ROUTES } from './routes/project-routes.js';
import { QUERY_ROUTES } from './routes/query-routes.js';
import { SEARCH_ROUTES } from './routes/search-routes.js';
import { SPACE_ROUTES } from './routes/space-routes.js';
import { UPKEEP_ROUTES } from './routes/upkeep-routes.js';
import { createWorld, type World } from './world/world.js';

/** The token of a Lightdash for development. */
export const SANDBOX_TOKEN = 'ldpat_deadbeefdeadbeefdeadbeefdeadbeef';

/** Where the sandbox listens, and the token that it accepts. */
export interface SandboxOptions {
  /** Default, or 0: any free port. */
  readonly port?: number;
  /** Default: `SANDBOX_TOKEN`. */
  readonly token?: string;
}

/** A received request. */
export interface SeenRequest {
  readonly method: string;
  /** As sent on the wire. */
  readonly path: string;
  readonly query: URLSearchParams;
  readonly headers: IncomingHttpHeaders;
  readonly body: unknown;
}

const ROUTES = [
  ...PROJECT_ROUTES,
  ...SPACE_ROUTES,
  ...PEOPLE_ROUTES,
  ...QUERY_ROUTES,
  ...SEARCH_ROUTES,
  ...UPKEEP_ROUTES,
];
const MAX_SEEN = 1_000;
const MAX_BODY = 1024 * 1024;
const LIGHTDASH_VERSION = '1.237.0';

/** Changes last until it is stopped. Every sandbox starts with the same data. */
export class Sandbox {
  readonly token: string;
  /** The latest requests, oldest first. */
  readonly requests: SeenRequest[] = [];
  readonly #world: World = createWorld();
  readonly #faults = new Faults();
  readonly #server: Server;

  private constructor(token: string) {
    this.token = token;
    this.#server = createServer((request, response) => void this.#serve(request, response));
  }

  static async start({ port = 0, token = SANDBOX_TOKEN }: SandboxOptions = {}): Promise<Sandbox> {
    const sandbox = new Sandbox(token);
    await new Promise<void>((resolve, reject) => {
      sandbox.#server.once('error', reject).listen(port, '127.0.0.1', resolve);
    });
    return sandbox;
  }

  get url(): string {
    return `http://127.0.0.1:${(this.#server.address() as AddressInfo).port}`;
  }

  /** The environment variables for a Lightdash server that uses this sandbox. */
  get environment(): { readonly LIGHTDASH_URL: string; readonly LIGHTDASH_API_KEY: string } {
    return { LIGHTDASH_URL: this.url, LIGHTDASH_API_KEY: this.token };
  }

  /** Switches a fault on. Returns a function that switches it off. */
  fail(rule: FaultRule): () => void {
    return this.#faults.add(rule);
  }

  async close(): Promise<void> {
    await new Promise<void>((resolve) => {
      this.#server.close(() => resolve());
      this.#server.closeAllConnections();
    });
  }

  async #serve(request: IncomingMessage, response: ServerResponse): Promise<void> {
    response.setHeader('Lightdash-Version', LIGHTDASH_VERSION);
    const { method = 'GET', url = '/', headers } = request;
    const [path = '/', search = ''] = url.split(/\?(.*)/s);
    const query = new URLSearchParams(search);
    const text = await readText(request).catch(() => undefined);
    if (text === undefined) return void response.destroy();
    const body = parsed(text);
    this.requests.push({ method, path, query, headers, body });
    if (this.requests.length > MAX_SEEN) this.requests.shift();

    const fault = this.#faults.next(path);
    const signIn = this.#signInProblem(path, headers.authorization);
    const answer = (): Intended => this.#answer({ method, path, query, body }, response);
    const instead = fault ?? signIn ?? (path.startsWith('/api/') ? undefined : FAULTS['web-page']);
    if (instead) return instead(response, answer);
    const { status, text: answered } = answer();
    send(response, status, answered);
  }

  /** The scheme is case-sensitive. Pages need no token. */
  #signInProblem(path: string, header = ''): Fault | undefined {
    if (!path.startsWith('/api/')) return undefined;
    if (!header.startsWith('ApiKey ')) return FAULTS['unauthorized-text'];
    return header === `ApiKey ${this.token}` ? undefined : FAULTS['unauthorized-json'];
  }

  #answer(
    call: Pick<SeenRequest, 'method' | 'path' | 'query' | 'body'>,
    response: ServerResponse,
  ): Intended {
    const headers = new Map<string, string>();
    try {
      if (call.body === MALFORMED) {
        throw new ApiProblem(400, 'ParameterError', 'The body is not JSON');
      }
      const results = answerCall(ROUTES, this.#world, call, headers);
      for (const [name, value] of headers) response.setHeader(name, value);
      return { status: 200, text: JSON.stringify({ status: 'ok', results }) };
    } catch (error) {
      return refusalOf(error);
    }
  }
}

const MALFORMED = Symbol('malformed');

function parsed(text: string): unknown {
  if (text === '') return undefined;
  try {
    return JSON.parse(text);
  } catch {
    return MALFORMED;
  }
}

async function readText(request: IncomingMessage): Promise<string> {
  let text = '';
  for await (const chunk of request.setEncoding('utf8')) {
    text += chunk as string;
    if (text.length > MAX_BODY) throw new RangeError('too large');
  }
  return text;
}
