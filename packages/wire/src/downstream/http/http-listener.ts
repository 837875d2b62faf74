/** The HTTP listener: checks requests and passes each to the leg for its era and transport. */

import { createServer, type IncomingMessage, type Server, type ServerResponse } from 'node:http';

import type { Principal, Source } from '@callsign/core';

import { errorText, INVALID_REQUEST } from '@callsign/rpc';
import { BadMessage, tooLong } from '../client-message.js';
import { isStatelessMessage } from '../envelope.js';
import type { HeldCalls } from '../held-calls.js';
import type { Session } from '../session.js';
import type { Surface } from '../surface.js';
import { Answer } from './answer.js';
import { Away, type Arrival, type TurnAway } from './away.js';
import { isRefused, type Authenticate, type Refused } from './authenticate.js';
import { type Body, isJson, readBody } from './body.js';
import {
  ConnectionLimits,
  type ConnectionLimitOptions,
  type ConnectionStatus,
} from './connection-limits.js';
import { corsHeaders, PREFLIGHT } from './cors.js';
import { OriginCheck, type OriginCheckOptions } from './origin-check.js';
import { isStateless, mismatch, single } from './headers.js';
import { showPage, type Page, type Site } from './page.js';
import { readPosted } from './posted-messages.js';
import { refuse, SessionLeg, sessionNotFound } from './session-leg.js';
import { SseLeg } from './sse-leg.js';
import { StatelessLeg } from './stateless-leg.js';
import { turnAway } from './turn-away.js';

/** `surface` and `held` may be shared with a listener on stdio. */
export interface HttpListenerOptions extends OriginCheckOptions {
  readonly host: string;
  readonly port: number;
  readonly surface: Surface;
  readonly held: HeldCalls;
  readonly maxBodyBytes: number;
  /** The view for a profile in the path; `undefined` if there is no such profile. */
  readonly viewOf: (profile: string, principal?: Principal) => Source | undefined;
  readonly health: () => object;
  /** Why it accepts no new work now; `undefined` if it does. */
  readonly notReady?: () => string | undefined;
  /** Called for every request except health and public pages. Unset: no authentication. */
  readonly authenticate?: Authenticate;
  /** Pages at other paths. */
  readonly pageAt?: (path: string) => Page | undefined;
  /** A site at other paths. It authenticates itself; Host and Origin were checked before. */
  readonly siteAt?: (path: string) => Site | undefined;
  /** Unset: the defaults. */
  readonly connections?: Partial<ConnectionLimitOptions>;
  /** Logs that connections were closed because of a limit. */
  readonly warn?: (message: string) => void;
}

interface Visit extends Arrival {
  readonly url: URL;
  readonly page: Page | undefined;
}

const KEEP_ALIVE_MS = 15_000;
/** Headers must come soon. Idle connections stay open: a busy client may use one late. */
const TIMEOUTS = {
  headersTimeout: 10_000,
  connectionsCheckingInterval: 1_000,
  keepAliveTimeout: 60_000,
};
const MCP_PATH = '/mcp';
/** The most common URL, which needs no parsing. */
const MCP_URL = new URL(MCP_PATH, 'http://localhost');
const PROFILE_PATH = /^\/mcp\/profile\/([^/]+)$/;

/** Listens for clients of both eras on one port. Paths other than `/mcp` are pages. */
export class HttpListener {
  readonly #options: HttpListenerOptions;
  readonly #server: Server;
  readonly #originCheck: OriginCheck;
  readonly #connections: ConnectionLimits;
  readonly #session = new SessionLeg();
  readonly #stateless = new StatelessLeg();
  readonly #sse = new SseLeg();
  readonly #away: Away;
  readonly #pulse: NodeJS.Timeout;

  constructor(options: HttpListenerOptions) {
    this.#options = options;
    this.#originCheck = new OriginCheck(options);
    this.#connections = new ConnectionLimits(options.connections, options.warn);
    this.#away = new Away({
      homes: options.surface.homes,
      held: options.held,
      isHere: (id) => this.#session.has(id) || this.#sse.has(id),
    });
    this.#server = createServer(TIMEOUTS, (request, response) => this.take(request, response));
    this.#server.on('connection', (socket) => this.#connections.accept(socket));
    this.#pulse = setInterval(() => {
      for (const leg of [this.#session, this.#stateless, this.#sse]) leg.keepAlive();
    }, KEEP_ALIVE_MS);
    this.#pulse.unref();
  }

  /** Opens the listener and returns the port. The system chooses the port if it was 0. */
  listen(): Promise<number> {
    const { host, port } = this.#options;
    return new Promise((resolve, reject) => {
      this.#server.on('error', reject);
      this.#server.listen(port, host, () => {
        const address = this.#server.address();
        resolve(typeof address === 'object' && address ? address.port : port);
      });
    });
  }

  get status(): ConnectionStatus {
    return this.#connections.status;
  }

  /** Clients that can be asked outside of any call. */
  sessions(): Session[] {
    return [...this.#session.sessions(), ...this.#sse.sessions()];
  }

  /** Accepts no new sessions from now on. Everything else continues. */
  drain(): void {
    this.#away.drain();
  }

  /** Takes no new connections and no new requests of sessions from now on. Calls under way go on. */
  retire(onRequest: TurnAway = sessionNotFound): void {
    this.#away.retire(onRequest);
    this.#server.close();
  }

  /** Requests without an answer. Streams for messages that belong to no request do not count. */
  get callsUnderWay(): number {
    return [this.#session, this.#stateless, this.#sse, this.#away].reduce(
      (sum, { callsUnderWay }) => sum + callsUnderWay,
      0,
    );
  }

  /** Handles a request. `isRelayed`: another instance has sent it here. */
  take(request: IncomingMessage, response: ServerResponse, isRelayed: boolean = false): void {
    try {
      this.#take(request, response, isRelayed);
    } catch {
      response.destroy();
    }
  }

  async close(): Promise<void> {
    clearInterval(this.#pulse);
    this.#connections.close();
    const closed = new Promise<void>((resolve) => this.#server.close(() => resolve()));
    for (const leg of [this.#session, this.#stateless, this.#sse]) leg.close();
    this.#server.closeIdleConnections();
    setTimeout(() => this.#server.closeAllConnections(), 500).unref();
    await closed;
  }

  #take(request: IncomingMessage, response: ServerResponse, isRelayed: boolean): void {
    // A balancer should not use this connection again.
    if (this.#away.isDraining) response.shouldKeepAlive = false;
    const account = this.#connections.begin(request, response);
    if (request.url === '/readyz') return this.#sayReady(new Answer(response));
    const wrong = this.#originCheck.refusal(request);
    if (wrong !== undefined) {
      request.resume();
      return refuse(new Answer(response), 403, -32000, wrong);
    }
    const url = request.url === MCP_PATH ? MCP_URL : urlOf(request);
    const site = url === MCP_URL || !url ? undefined : this.#options.siteAt?.(url.pathname);
    if (site) return site(request, response);
    const answer = new Answer(response, corsHeaders(request), account);
    if (request.method === 'OPTIONS') return answer.with(PREFLIGHT).empty(204);
    if (!url) {
      request.resume();
      return refuse(answer, 400, -32000, 'Bad Request: this is not a valid address.');
    }
    const { health, pageAt, authenticate } = this.#options;
    if (url.pathname === '/healthz') return answer.json(200, JSON.stringify(health()));
    const page = url === MCP_URL ? undefined : pageAt?.(url.pathname);
    if (page?.isPublic) return void showPage(page, request, answer);
    const visit: Visit = { request, response, answer, isRelayed, url, page };
    if (!authenticate) return this.#admit(visit);
    const admit = (shown: Principal | Refused | undefined): void => {
      // The client has disconnected, so there is no body to wait for.
      if (request.socket.destroyed) return;
      if (isRefused(shown)) turnAway(shown, request, answer);
      else this.#admit(visit, shown);
    };
    const asked = authenticate(request);
    if (asked instanceof Promise) asked.then(admit).catch(() => response.destroy());
    else admit(asked);
  }

  /** Handles a request that has passed all checks. */
  #admit(visit: Visit, principal?: Principal): void {
    const { request, response, answer, url, page } = visit;
    const { maxBodyBytes } = this.#options;
    const surface = principal ? { ...this.#options.surface, principal } : this.#options.surface;
    if (url === MCP_URL) return this.#mcp(visit, surface, undefined);
    const { pathname, searchParams } = url;
    const view = this.#viewAt(pathname, principal);
    if (view !== 'elsewhere') return this.#mcp(visit, surface, view);
    if (pathname === '/sse' && request.method === 'GET') {
      return this.#away.isDraining
        ? this.#away.refuseSession(visit)
        : this.#sse.open(answer, surface);
    }
    if (pathname === '/messages' && request.method === 'POST') {
      const id = searchParams.get('sessionId') ?? '';
      if (!surface.homes || this.#sse.has(id)) {
        return this.#sse.post(request, response, { id, principal, maxBytes: maxBodyBytes });
      }
      return this.#away.forward(visit, id, maxBodyBytes);
    }
    if (page && page.mayRead?.(principal) !== false) return void showPage(page, request, answer);
    request.resume();
    if (page) return refuse(answer, 403, -32000, `No role of this caller may read ${pathname}.`);
    refuse(answer, 404, -32000, `There is nothing at ${pathname}. The MCP endpoint is /mcp.`);
  }

  /** The view that the path names. `undefined`: the view that fits the client. */
  #viewAt(path: string, principal: Principal | undefined): Source | undefined | 'elsewhere' {
    if (path === MCP_PATH) return undefined;
    const profile = PROFILE_PATH.exec(path)?.[1];
    return (profile && this.#options.viewOf(profile, principal)) || 'elsewhere';
  }

  #mcp(arrival: Arrival, own: Surface, view: Source | undefined): void {
    const { request, answer } = arrival;
    if (request.method === 'GET' || request.method === 'DELETE') {
      if (this.#away.takesSession(arrival)) return;
      if (request.method === 'GET') return this.#session.get(request, answer, own.principal);
      return this.#session.delete(request, answer, own.principal);
    }
    if (request.method !== 'POST') {
      answer.with({ allow: 'GET, POST, DELETE' });
      return refuse(answer, 405, -32000, 'Method not allowed.');
    }
    if (!isJson(request.headers['content-type'] ?? '')) {
      request.resume();
      const advice = 'Unsupported Media Type: Content-Type must be application/json';
      return refuse(answer, 415, -32000, advice);
    }
    readBody(request, this.#options.maxBodyBytes, (body) => {
      this.#onBody(body, arrival, own, view);
    });
  }

  #onBody(
    body: Body | 'too-large',
    arrival: Arrival,
    own: Surface,
    view: Source | undefined,
  ): void {
    const { maxBodyBytes, held } = this.#options;
    const { request, answer } = arrival;
    if (body === 'too-large') return answer.json(413, tooLong(maxBodyBytes).reply);
    if (this.#away.takesSession(arrival, body.text)) return;
    const read = readPosted(body);
    if (read instanceof BadMessage) return answer.json(400, read.reply);
    const { messages, isBatch } = read;
    const [first] = messages;
    const surface = view ? { ...own, viewFor: () => view } : own;
    const hasStateless = messages.some((message) => isStateless(request, message));
    if (!hasStateless) {
      if (this.#away.takesWork(arrival, messages, body.text)) return;
      return this.#session.post(request, messages, answer, surface);
    }
    if (isBatch) {
      const reason = 'Invalid Request: this protocol version has no batches';
      return refuse(answer, 400, INVALID_REQUEST, reason);
    }
    if (first.method === 'initialize' && !isStatelessMessage(first)) {
      const said = single(request.headers['mcp-protocol-version'])!;
      return answer.json(
        400,
        errorText(first.id, mismatch(said, 'initialize belongs to earlier versions')),
      );
    }
    const here = (): void =>
      this.#stateless.post(request, first, answer, { surface, held, ...(view ? { view } : {}) });
    if (!this.#away.takesState(arrival, first, body.text, here)) here();
  }

  /** For load balancers, which send no host: whether new work may come. Unlike /healthz. */
  #sayReady(answer: Answer): void {
    const reason = this.#away.isDraining ? 'draining' : this.#options.notReady?.();
    const status = reason === undefined ? { status: 'ready' } : { status: 'not-ready', reason };
    answer.json(reason === undefined ? 200 : 503, JSON.stringify(status));
  }
}

function urlOf({ url = '/' }: IncomingMessage): URL | undefined {
  const base = 'http://localhost';
  return URL.canParse(url, base) ? new URL(url, base) : undefined;
}
