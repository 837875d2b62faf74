/** The HTTP listener: accepts connections, checks requests, and passes them to what is at their path. */

import { createServer, type IncomingMessage, type Server, type ServerResponse } from 'node:http';

import type { Principal, Source } from '@callsign/core';

import { INTERNAL_ERROR } from '../../rpc/message/rpc-error.js';
import { listenOn } from '../../rpc/stream/listen-on.js';
import { tooLong } from '../client-message.js';
import type { ServedPart } from '../served-source.js';
import type { Session } from '../session.js';
import {
  isRefused,
  isSameParty,
  type Authenticate,
  type Refused,
  type StatedCaller,
  type StatedCallers,
} from './authenticate.js';
import {
  ConnectionLimits,
  RequestQueue,
  type ConnectionLimitOptions,
  type ConnectionStatus,
} from './connection-limits.js';
import { HttpResponse } from './http-response.js';
import { InstanceRelay, type Incoming, type TurnAway } from './instance-relay.js';
import { OriginCheck, type OriginCheckOptions } from './origin-check.js';
import { SseEndpoints } from './sse-endpoints.js';
import { StreamableHttp, type StreamableHttpOptions } from './streamable-http.js';

/** A page at a fixed path, such as metrics. */
export interface Page {
  /** Its media type. */
  readonly type: string;
  /** Served without a credential, even if one is required elsewhere. */
  readonly isPublic?: boolean;
  /** Whether a caller may read it. Default: every caller that was accepted. */
  readonly mayRead?: (principal: Principal | undefined) => boolean;
  readonly text: () => string | Promise<string>;
}

/** Handles all requests for its paths. */
type Site = (request: IncomingMessage, response: ServerResponse) => void | Promise<void>;

/** `served` and `pending` may be shared with a listener on stdio. */
export interface HttpListenerOptions extends OriginCheckOptions, StreamableHttpOptions {
  readonly host: string;
  readonly port: number;
  readonly health: () => object;
  /** The view for a profile in the path; `undefined` if there is no such profile. */
  readonly viewOf: (profile: string, principal?: Principal) => Source | undefined;
  /** What clients of a set get, by the set in the path; `undefined` if there is no such set. */
  readonly servedSet?: (name: string) => ServedPart | undefined;
  /** Why it accepts no new work now; `undefined` if it does. */
  readonly notReady?: () => string | undefined;
  /** Called for every request except health and public pages. Default: no authentication. */
  readonly authenticate?: Authenticate;
  /** For requests that other instances relay, and that are relayed to them. Default: no authentication. */
  readonly callers?: StatedCallers;
  /** Pages at other paths. */
  readonly pageAt?: (path: string) => Page | undefined;
  /** A site at other paths. It authenticates itself; Host and Origin were checked before. */
  readonly siteAt?: (path: string) => Site | undefined;
  /** Limits that differ from the defaults. */
  readonly connections?: Partial<ConnectionLimitOptions>;
  /** Logs closed connections and unexpected errors. Default: errors are written to standard error. */
  readonly warn?: (message: string) => void;
}

/** The caller of a request, as another instance says. */
export interface RelayedFor {
  /** Default: no authentication. */
  readonly caller: StatedCaller | undefined;
}

const KEEP_ALIVE_MS = 15_000;
/** How long a client without a valid credential may continue to send. */
const LINGER_MS = 1_000;
/** Headers must come soon. Idle connections stay open: a busy client may use one late. */
const TIMEOUTS = {
  headersTimeout: 10_000,
  connectionsCheckingInterval: 1_000,
  keepAliveTimeout: 60_000,
};
const BASE = 'http://localhost';
const MCP_PATH = '/mcp';
const MCP_URL = new URL(MCP_PATH, BASE);
const PROFILE_PATH = /^\/mcp\/profile\/([^/]+)$/;
const SET_PATH = /^\/mcp\/set\/([^/]+)$/;
const PREFLIGHT = {
  'access-control-allow-methods': 'GET, POST, DELETE, OPTIONS',
  'access-control-allow-headers': '*, authorization',
  'access-control-max-age': '600',
};

/** Listens for clients of both eras on one port. Paths other than `/mcp` are pages. */
export class HttpListener {
  readonly #options: HttpListenerOptions;
  readonly #server: Server;
  readonly #originCheck: OriginCheck;
  readonly #connections: ConnectionLimits;
  readonly #queue = new RequestQueue();
  /** Requests that belong to other instances, or that must not begin here any more. */
  readonly #relay: InstanceRelay;
  readonly #mcp: StreamableHttp;
  readonly #sse: SseEndpoints;
  readonly #keepAlive: NodeJS.Timeout;
  /** Responses that stay open, and whether their caller still counts. */
  readonly #lasting = new Map<HttpResponse, () => Promise<boolean>>();
  /** Why credentials could not be checked the last time. One cause is warned of once while it lasts. */
  #uncheckable: ReadonlySet<string> = new Set();

  constructor(options: HttpListenerOptions) {
    this.#options = options;
    this.#originCheck = new OriginCheck(options);
    this.#connections = new ConnectionLimits(options.connections, options.warn);
    const { served, pending } = options;
    const isHere = (id: string): boolean => this.#mcp.has(id) || this.#sse.has(id);
    this.#relay = new InstanceRelay({ routing: served.routing, pending, isHere });
    this.#mcp = new StreamableHttp(options, this.#relay);
    this.#sse = new SseEndpoints(options, this.#relay);
    this.#server = createServer(TIMEOUTS, (request, response) => this.take(request, response));
    // A client may end its side after its request. It still gets its answer.
    Object.assign(this.#server, { httpAllowHalfOpen: true });
    this.#server.on('connection', (socket) => this.#connections.add(socket));
    this.#server.on('checkContinue', (request, response) => this.#continue(request, response));
    this.#keepAlive = setInterval(() => {
      this.#mcp.keepAlive();
      this.#sse.keepAlive();
      void this.#endRevoked();
    }, KEEP_ALIVE_MS).unref();
  }

  /** Opens the listener and returns the port. The system chooses the port if it was 0. */
  listen(): Promise<number> {
    const { host, port } = this.#options;
    return listenOn(this.#server, port, host);
  }

  get status(): ConnectionStatus {
    return this.#connections.status;
  }

  /** Clients that can be asked outside of any call. */
  sessions(): Session[] {
    return [...this.#mcp.sessions(), ...this.#sse.sessions()];
  }

  /** Accepts no new sessions from now on. Everything else continues. */
  drain(): void {
    this.#relay.drain();
  }

  /** Takes no new connections and no new requests of sessions from now on. Calls under way go on. */
  retire(onRequest: TurnAway = (response) => response.sessionNotFound()): void {
    this.#relay.retire(onRequest);
    this.#server.close();
    this.#connections.closeIdle();
  }

  /** Requests without an answer. Streams for messages that belong to no request do not count. */
  get callsUnderWay(): number {
    return this.#mcp.callsUnderWay + this.#sse.callsUnderWay + this.#relay.callsUnderWay;
  }

  /** Handles a request. `relayed`: another instance has sent it here, and says who the caller is. */
  take(request: IncomingMessage, response: ServerResponse, relayed?: RelayedFor): void {
    this.#queue.begin(request.socket, (closed) => {
      const answer = new HttpResponse(response, this.#connections.begin(request, response));
      answer.onClose(closed);
      this.#take(request, answer, relayed).catch((error: unknown) => {
        this.#fail(request, response, error);
      });
    });
  }

  /** A client asks before it sends its body. */
  #continue(request: IncomingMessage, raw: ServerResponse): void {
    const { maxBodyBytes } = this.#options;
    if (Number(request.headers['content-length'] ?? 0) > maxBodyBytes) {
      raw.shouldKeepAlive = false;
      const response = new HttpResponse(raw, this.#connections.begin(request, raw));
      return response.json(413, tooLong(maxBodyBytes).reply);
    }
    raw.writeContinue();
    this.take(request, raw);
  }

  /** `what`: what this instance did, for those who wait for answers. */
  async close(what = 'was stopped'): Promise<void> {
    clearInterval(this.#keepAlive);
    this.#connections.close();
    const closed = new Promise<void>((resolve) => this.#server.close(() => resolve()));
    this.#mcp.close(what);
    this.#sse.close();
    this.#connections.closeIdle();
    setTimeout(() => this.#connections.closeAll(), 500).unref();
    await closed;
  }

  async #take(
    request: IncomingMessage,
    response: HttpResponse,
    relayed?: RelayedFor,
  ): Promise<void> {
    // A balancer should not use this connection again.
    if (this.#relay.isDraining) response.raw.shouldKeepAlive = false;
    if (request.url === '/readyz') return this.#sayReady(response);
    const wrong = this.#originCheck.refusal(request);
    if (wrong !== undefined) {
      request.resume();
      return response.refuse(403, wrong);
    }
    const url = urlOf(request);
    const { health, pageAt, siteAt, callers, authenticate } = this.#options;
    const other = url?.pathname === MCP_PATH ? undefined : url?.pathname;
    const site = other === undefined ? undefined : siteAt?.(other);
    if (site) return await site(request, response.raw);
    if (request.headers.origin !== undefined) response.with(corsHeaders(request.headers.origin));
    if (request.method === 'OPTIONS') return response.with(PREFLIGHT).empty(204);
    if (!url) {
      request.resume();
      return response.refuse(400, 'Bad Request: this is not a valid address.');
    }
    if (url.pathname === '/healthz') return response.json(200, JSON.stringify(health()));
    const page = other === undefined ? undefined : pageAt?.(other);
    if (page?.isPublic) return showPage(page, request, response);
    // Clients look for metadata in several places. A request for a credential would stop some of them.
    if (!page && url.pathname.startsWith('/.well-known/')) {
      request.resume();
      return response.refuse(404, `There is nothing at ${url.pathname}.`);
    }
    const ask = (): ReturnType<Authenticate> =>
      relayed ? callers?.admit(relayed.caller) : authenticate?.(request);
    const asked = ask();
    const shown = asked instanceof Promise ? await asked : asked;
    if (request.socket.destroyed) return;
    if (isRefused(shown)) return turnAway(shown, request, response);
    if (shown && isLasting(request)) {
      this.#lasting.set(response, async () => {
        const now = await ask();
        // It cannot be checked at the moment.
        if (isRefused(now)) return now.status === 503;
        return isSameParty(now, shown);
      });
      response.onClose(() => this.#lasting.delete(response));
    }
    const relayable = relayed ? undefined : { caller: shown && callers?.state(shown) };
    return this.#route({ request, response, principal: shown, relayable }, url, page);
  }

  /** A credential that was revoked, or has ended, must not go on to read. Its client asks again, with what it has now. */
  async #endRevoked(): Promise<void> {
    const causes = new Set<string>();
    for (const [response, counts] of this.#lasting) {
      const stays = await counts().catch((error: unknown) => {
        const cause = String(error);
        if (!this.#uncheckable.has(cause) && !causes.has(cause)) {
          this.#warn(`A credential could not be checked again: ${cause}`);
        }
        causes.add(cause);
        return true;
      });
      if (stays) continue;
      if (response.isStream) response.end();
      else response.raw.destroy();
    }
    this.#uncheckable = causes;
  }

  /** The one place where an unexpected error of a request ends: it must not end the gateway. */
  #fail(request: IncomingMessage, raw: ServerResponse, error: unknown): void {
    const text = error instanceof Error ? (error.stack ?? error.message) : String(error);
    this.#warn(`A request failed unexpectedly. Please report it. ${text}`);
    request.resume();
    if (raw.headersSent) raw.destroy();
    else new HttpResponse(raw).refuse(500, 'Internal error', INTERNAL_ERROR);
  }

  #warn(message: string): void {
    const { warn = (text: string) => void process.stderr.write(`${text}\n`) } = this.#options;
    warn(message);
  }

  /** Passes on a request that passed all checks. */
  #route(incoming: Incoming, url: URL, page: Page | undefined): void | Promise<void> {
    const { request, response, principal } = incoming;
    const { pathname } = url;
    if (pathname === MCP_PATH) return this.#mcp.take(incoming);
    const profile = PROFILE_PATH.exec(pathname)?.[1];
    const view = profile === undefined ? undefined : this.#options.viewOf(profile, principal);
    if (view) return this.#mcp.take(incoming, { viewFor: () => view });
    const set = SET_PATH.exec(pathname)?.[1];
    const part = set === undefined ? undefined : this.#options.servedSet?.(set);
    if (part) return this.#mcp.take(incoming, part);
    if (pathname === '/sse' && request.method === 'GET') return this.#sse.open(incoming);
    if (pathname === '/messages' && request.method === 'POST')
      return this.#sse.post(incoming, url.searchParams.get('sessionId') ?? '');
    if (page && page.mayRead?.(principal) !== false) return showPage(page, request, response);
    request.resume();
    if (page) return response.refuse(403, `No role of this caller may read ${pathname}.`);
    if (set !== undefined) return response.refuse(404, `There is no set "${set}".`);
    response.refuse(404, `There is nothing at ${pathname}. The MCP endpoint is /mcp.`);
  }

  /** For load balancers, which send no host: whether new work may come. Unlike /healthz. */
  #sayReady(response: HttpResponse): void {
    const reason = this.#relay.isDraining ? 'draining' : this.#options.notReady?.();
    const status = reason === undefined ? { status: 'ready' } : { status: 'not-ready', reason };
    response.json(reason === undefined ? 200 : 503, JSON.stringify(status));
  }
}

/** The address of a request; `undefined` if it is not valid. */
function urlOf({ url = '/' }: IncomingMessage): URL | undefined {
  // Nearly every request has this address.
  if (url === MCP_PATH) return MCP_URL;
  return URL.canParse(url, BASE) ? new URL(url, BASE) : undefined;
}

/** Whether a request may stay open without an end. Its credential is looked at again. */
function isLasting({ method, headers }: IncomingMessage): boolean {
  return method === 'GET' || headers['mcp-method'] === 'subscriptions/listen';
}

/** Lets a page with an allowed origin read the response. The origin was checked before. */
function corsHeaders(origin: string): Record<string, string> {
  return {
    'access-control-allow-origin': origin,
    'access-control-expose-headers': 'mcp-session-id, www-authenticate',
    vary: 'origin',
  };
}

/** Asks for a credential, or for another one. Ignores the body. */
function turnAway(
  { status, challenge, message }: Refused,
  request: IncomingMessage,
  response: HttpResponse,
): void {
  request.resume();
  // Some clients read only after they have sent everything. A client that sends longer is cut off.
  setTimeout(() => request.complete || request.destroy(), LINGER_MS).unref();
  response.with({ 'www-authenticate': challenge }).refuse(status, message);
}

async function showPage(
  { type, text }: Page,
  request: IncomingMessage,
  response: HttpResponse,
): Promise<void> {
  request.resume();
  if (request.method !== 'GET' && request.method !== 'HEAD') {
    return response.with({ allow: 'GET' }).refuse(405, 'Method not allowed.');
  }
  response.text(200, type, await text());
}
