/** The HTTP listener: checks requests and passes each to the leg for its era and transport. */

import type { IncomingMessage, Server, ServerResponse } from 'node:http';

import type { Principal, Source } from '@callsign/core';
import {
  createQuickServer,
  isJson,
  NodeResponder,
  type RequestHead,
  type Responder,
} from '@callsign/rpc/http-server';

import { tooLong } from '../client-message.js';
import type { HeldCalls } from '../held-calls.js';
import type { Session } from '../session.js';
import type { Surface } from '../surface.js';
import { Answer } from './answer.js';
import { Away, type Arrival, type TurnAway } from './away.js';
import { isRefused, type Authenticate, type Refused } from './authenticate.js';
import { decoded, readBody } from './body.js';
import {
  ConnectionLimits,
  type ConnectionLimitOptions,
  type ConnectionStatus,
} from './connection-limits.js';
import { corsHeaders, PREFLIGHT } from './cors.js';
import { MCP_PATH, MCP_URL, profileIn, urlOf } from './address.js';
import { OriginCheck, type OriginCheckOptions } from './origin-check.js';
import { showPage, type Page, type Site } from './page.js';
import { PostedWork } from './posted-work.js';
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
  readonly request: IncomingMessage;
  readonly response: ServerResponse;
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
  readonly #posted: PostedWork;
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
    this.#posted = new PostedWork({
      session: this.#session,
      stateless: this.#stateless,
      away: this.#away,
      held: options.held,
    });
    this.#server = createQuickServer({
      ...TIMEOUTS,
      path: MCP_PATH,
      accepts: (socket) => this.#connections.accepts(socket),
      takes: (request, body, responder) => this.#takesQuick(request, body, responder),
      take: (request, response) => this.take(request, response),
    });
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
    this.#connections.closeIdle();
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
    this.#connections.closeIdle();
    setTimeout(() => this.#connections.closeAll(), 500).unref();
    await closed;
  }

  #take(request: IncomingMessage, response: ServerResponse, isRelayed: boolean): void {
    // A balancer should not use this connection again.
    if (this.#away.isDraining) response.shouldKeepAlive = false;
    const responder = new NodeResponder(response);
    const account = this.#connections.begin(request.socket, responder, request);
    if (request.url === '/readyz') return this.#sayReady(new Answer(responder));
    const wrong = this.#originCheck.refusal(request);
    if (wrong !== undefined) {
      request.resume();
      return refuse(new Answer(responder), 403, -32000, wrong);
    }
    const url = urlOf(request);
    const site = url === MCP_URL || !url ? undefined : this.#options.siteAt?.(url.pathname);
    if (site) return site(request, response);
    const answer = new Answer(responder, corsHeaders(request), account);
    if (request.method === 'OPTIONS') return answer.with(PREFLIGHT).empty(204);
    if (!url) {
      request.resume();
      return refuse(answer, 400, -32000, 'Bad Request: this is not a valid address.');
    }
    const { health, pageAt } = this.#options;
    if (url.pathname === '/healthz') return answer.json(200, JSON.stringify(health()));
    const page = url === MCP_URL ? undefined : pageAt?.(url.pathname);
    if (page?.isPublic) return void showPage(page, request, answer);
    const relayable = isRelayed ? undefined : { request, response };
    const visit: Visit = { request, response, answer, relayable, url, page };
    this.#authenticate(request, (shown) => {
      if (isRefused(shown)) turnAway(shown, answer, request);
      else this.#admit(visit, shown);
    });
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
    if (!this.#away.isAlone || body.length > this.#options.maxBodyBytes) return false;
    if (this.#originCheck.refusal(request) !== undefined) return false;
    const account = this.#connections.begin(request.socket, responder);
    const answer = new Answer(responder, undefined, account);
    try {
      this.#authenticate(request, (shown) => {
        if (isRefused(shown)) turnAway(shown, answer);
        else this.#posted.take(decoded(body), { request, answer }, this.#surfaceFor(shown));
      });
    } catch {
      request.socket.destroy();
    }
    return true;
  }

  /** Handles a request that has passed all checks. */
  #admit(visit: Visit, principal?: Principal): void {
    const { request, response, answer, url, page } = visit;
    const { maxBodyBytes } = this.#options;
    const surface = this.#surfaceFor(principal);
    if (url === MCP_URL) return this.#mcp(visit, surface);
    const { pathname, searchParams } = url;
    const profile = profileIn(pathname);
    const view = profile === undefined ? undefined : this.#options.viewOf(profile, principal);
    if (view || pathname === MCP_PATH) return this.#mcp(visit, surface, view);
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
      return this.#away.forward(visit, request, id, maxBodyBytes);
    }
    if (page && page.mayRead?.(principal) !== false) return void showPage(page, request, answer);
    request.resume();
    if (page) return refuse(answer, 403, -32000, `No role of this caller may read ${pathname}.`);
    refuse(answer, 404, -32000, `There is nothing at ${pathname}. The MCP endpoint is /mcp.`);
  }

  #surfaceFor(principal: Principal | undefined): Surface {
    const { surface } = this.#options;
    return principal ? { ...surface, principal } : surface;
  }

  #mcp(visit: Visit, own: Surface, view?: Source): void {
    const { request, answer } = visit;
    if (request.method === 'GET' || request.method === 'DELETE') {
      if (this.#away.takesSession(visit)) return;
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
    const { maxBodyBytes } = this.#options;
    readBody(request, maxBodyBytes, (body) => {
      if (body === 'too-large') return answer.json(413, tooLong(maxBodyBytes).reply);
      this.#posted.take(body, visit, own, view);
    });
  }

  /** For load balancers, which send no host: whether new work may come. Unlike /healthz. */
  #sayReady(answer: Answer): void {
    const reason = this.#away.isDraining ? 'draining' : this.#options.notReady?.();
    const status = reason === undefined ? { status: 'ready' } : { status: 'not-ready', reason };
    answer.json(reason === undefined ? 200 : 503, JSON.stringify(status));
  }
}
