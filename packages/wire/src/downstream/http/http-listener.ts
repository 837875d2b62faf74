/** The HTTP listener: accepts connections and checks requests before they are routed. */

import type { IncomingMessage, Server, ServerResponse } from 'node:http';

import type { Principal } from '@callsign/core';

import {
  type ConnectionLimitOptions,
  ConnectionLimits,
  type ConnectionStatus,
} from '../../rpc/http-server/connection-limits.js';
import { listenOn } from '../../rpc/http-server/listen-on.js';
import type { RequestHead } from '../../rpc/http-server/quick-request.js';
import { createQuickServer } from '../../rpc/http-server/quick-server.js';
import { RequestQueue } from '../../rpc/http-server/request-queue.js';
import { NodeResponder, type Responder } from '../../rpc/http-server/responder.js';
import type { Session } from '../session.js';
import { MCP_PATH, MCP_URL, urlOf } from './address.js';
import { Answer } from './answer.js';
import {
  isRefused,
  type Authenticate,
  type Refused,
  type StatedCaller,
  type StatedCallers,
} from './authenticate.js';
import { decoded } from './body.js';
import { corsHeaders, PREFLIGHT } from './cors.js';
import { HttpRoutes, type HttpRoutesOptions, type Visit } from './http-routes.js';
import type { TurnAway } from './instance-relay.js';
import { OriginCheck, type OriginCheckOptions } from './origin-check.js';
import { showPage, type Page, type Site } from './page.js';
import { refuse, sessionNotFound } from './refuse.js';
import { turnAway } from './turn-away.js';

/** `surface` and `held` may be shared with a listener on stdio. */
export interface HttpListenerOptions extends OriginCheckOptions, HttpRoutesOptions {
  readonly host: string;
  readonly port: number;
  readonly health: () => object;
  /** Why it accepts no new work now; `undefined` if it does. */
  readonly notReady?: () => string | undefined;
  /** Called for every request except health and public pages. Unset: no authentication. */
  readonly authenticate?: Authenticate;
  /** For requests that other instances relay, and that are relayed to them. Unset: no authentication. */
  readonly callers?: StatedCallers;
  /** Pages at other paths. */
  readonly pageAt?: (path: string) => Page | undefined;
  /** A site at other paths. It authenticates itself; Host and Origin were checked before. */
  readonly siteAt?: (path: string) => Site | undefined;
  /** Unset: the defaults. */
  readonly connections?: Partial<ConnectionLimitOptions>;
  /** Logs that connections were closed because of a limit. */
  readonly warn?: (message: string) => void;
}

/** The caller of a request, as another instance says. */
export interface RelayedFor {
  /** Unset: no authentication. */
  readonly caller: StatedCaller | undefined;
}

const KEEP_ALIVE_MS = 15_000;
/** Headers must come soon. Idle connections stay open: a busy client may use one late. */
const TIMEOUTS = {
  headersTimeout: 10_000,
  connectionsCheckingInterval: 1_000,
  keepAliveTimeout: 60_000,
};

/** Listens for clients of both eras on one port. Paths other than `/mcp` are pages. */
export class HttpListener {
  readonly #options: HttpListenerOptions;
  readonly #server: Server;
  readonly #originCheck: OriginCheck;
  readonly #connections: ConnectionLimits;
  readonly #queue = new RequestQueue();
  readonly #routes: HttpRoutes;
  readonly #pulse: NodeJS.Timeout;

  constructor(options: HttpListenerOptions) {
    this.#options = options;
    this.#originCheck = new OriginCheck(options);
    this.#connections = new ConnectionLimits(options.connections, options.warn);
    this.#routes = new HttpRoutes(options);
    this.#server = createQuickServer({
      ...TIMEOUTS,
      path: MCP_PATH,
      accepts: (socket) => this.#connections.accepts(socket),
      takes: (request, body, responder) => this.#takesQuick(request, body, responder),
      take: (request, response) => this.take(request, response),
    });
    this.#pulse = setInterval(() => this.#routes.keepAlive(), KEEP_ALIVE_MS);
    this.#pulse.unref();
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
    return this.#routes.sessions();
  }

  /** Accepts no new sessions from now on. Everything else continues. */
  drain(): void {
    this.#routes.relay.drain();
  }

  /** Takes no new connections and no new requests of sessions from now on. Calls under way go on. */
  retire(onRequest: TurnAway = sessionNotFound): void {
    this.#routes.relay.retire(onRequest);
    this.#server.close();
    this.#connections.closeIdle();
  }

  /** Requests without an answer. Streams for messages that belong to no request do not count. */
  get callsUnderWay(): number {
    return this.#routes.callsUnderWay;
  }

  /** Handles a request. `relayed`: another instance has sent it here, and says who the caller is. */
  take(request: IncomingMessage, response: ServerResponse, relayed?: RelayedFor): void {
    this.#queue.begin(request.socket, response, () => {
      try {
        this.#take(request, response, relayed);
      } catch {
        response.destroy();
      }
    });
  }

  async close(): Promise<void> {
    clearInterval(this.#pulse);
    this.#connections.close();
    const closed = new Promise<void>((resolve) => this.#server.close(() => resolve()));
    this.#routes.close();
    this.#connections.closeIdle();
    setTimeout(() => this.#connections.closeAll(), 500).unref();
    await closed;
  }

  #take(request: IncomingMessage, response: ServerResponse, relayed?: RelayedFor): void {
    // A balancer should not use this connection again.
    if (this.#routes.relay.isDraining) response.shouldKeepAlive = false;
    const responder = new NodeResponder(response);
    const account = this.#connections.begin(request.socket, responder, request);
    if (request.url === '/readyz') return this.#sayReady(new Answer(responder));
    const wrong = this.#originCheck.refusal(request);
    if (wrong !== undefined) {
      request.resume();
      return refuse(new Answer(responder), 403, wrong);
    }
    const url = urlOf(request);
    const site = url === MCP_URL || !url ? undefined : this.#options.siteAt?.(url.pathname);
    if (site) return site(request, response);
    const answer = new Answer(responder, corsHeaders(request), account);
    if (request.method === 'OPTIONS') return answer.with(PREFLIGHT).empty(204);
    if (!url) {
      request.resume();
      return refuse(answer, 400, 'Bad Request: this is not a valid address.');
    }
    const { health, pageAt } = this.#options;
    if (url.pathname === '/healthz') return answer.json(200, JSON.stringify(health()));
    const page = url === MCP_URL ? undefined : pageAt?.(url.pathname);
    if (page?.isPublic) return void showPage(page, request, answer);
    const visit: Visit = { request, response, answer, url, page };
    const { callers } = this.#options;
    const admit = (shown: Principal | Refused | undefined): void => {
      if (isRefused(shown)) return turnAway(shown, answer, request);
      if (relayed) return this.#routes.take(visit, shown);
      const relayable = { request, response, caller: shown && callers?.state(shown) };
      this.#routes.take({ ...visit, relayable }, shown);
    };
    if (relayed) admit(callers?.admit(relayed.caller));
    else this.#authenticate(request, admit);
  }

  /** Calls back unless the client disconnects first. */
  #authenticate(
    request: RequestHead,
    admit: (shown: Principal | Refused | undefined) => void,
  ): void {
    const take = (shown: Principal | Refused | undefined): void => {
      if (!request.socket.destroyed) admit(shown);
    };
    const asked = this.#options.authenticate?.(request);
    if (asked instanceof Promise) asked.then(take).catch(() => request.socket.destroy());
    else take(asked);
  }

  /** Handles a usual request, whose body is here. False: Node should read it. */
  #takesQuick(request: RequestHead, body: Buffer, responder: Responder): boolean {
    if (!this.#routes.relay.isAlone || body.length > this.#options.maxBodyBytes) return false;
    if (this.#originCheck.refusal(request) !== undefined) return false;
    const account = this.#connections.begin(request.socket, responder);
    const answer = new Answer(responder, undefined, account);
    try {
      this.#authenticate(request, (shown) => {
        if (isRefused(shown)) turnAway(shown, answer);
        else this.#routes.takePosted(decoded(body), { request, answer }, shown);
      });
    } catch {
      request.socket.destroy();
    }
    return true;
  }

  /** For load balancers, which send no host: whether new work may come. Unlike /healthz. */
  #sayReady(answer: Answer): void {
    const reason = this.#routes.relay.isDraining ? 'draining' : this.#options.notReady?.();
    const status = reason === undefined ? { status: 'ready' } : { status: 'not-ready', reason };
    answer.json(reason === undefined ? 200 : 503, JSON.stringify(status));
  }
}
