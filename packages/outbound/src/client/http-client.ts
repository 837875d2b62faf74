/**
 * The HTTP client of all packages: connections that are used again, redirects, and a guard against private networks.
 * It has no time limit of its own once it is connected, since tools may take long: use a signal.
 */

import type { IncomingHttpHeaders } from 'node:http';
import type { Socket } from 'node:net';
import type { Readable } from 'node:stream';
import type { ConnectionOptions } from 'node:tls';

import type { Agent, buildConnector, Dispatcher } from 'undici';

import { AddressRefused, checkedLookup, checkUrl, type AddressGuard } from './address-guard.js';
import { discard } from './body.js';
import { decoded, exchange, RequestFailed, type Received } from './exchange.js';

export interface HttpClientOptions {
  /** Default: every address may be called. */
  readonly guard?: AddressGuard;
  /** Default: 10 s. */
  readonly connectTimeoutMs?: number;
  /** With `servername`, the header `Host` of a request does not decide about its connection. */
  readonly tls?: TlsOptions;
  /** Called with each new connection, before it is open. */
  readonly onSocket?: (socket: Socket) => void;
  /** Called whenever the other end closes a connection, or cannot be reached. */
  readonly onBroken?: () => void;
}

export interface TlsOptions extends ConnectionOptions {
  /** Default: 100. */
  readonly maxCachedSessions?: number;
}

export interface HttpRequest {
  /** Default: GET. */
  readonly method?: string;
  readonly headers?: Readonly<Record<string, string | string[] | undefined>>;
  readonly body?: string | Uint8Array | undefined;
  readonly signal?: AbortSignal | undefined;
  /**
   * `same-origin`: repeats the request at the new address. `any`: as browsers do, with each address checked, and without
   * credentials in another origin. Default: `none`, a redirect is a response like any other.
   */
  readonly redirects?: 'none' | 'same-origin' | 'any';
  /** Headers to remove when a redirect leaves the origin, besides `Authorization` and cookies. */
  readonly secretHeaders?: readonly string[];
  /**
   * Whether the request is sent again if its connection breaks before the response. `if-reused`: only if the connection
   * has brought an earlier response, since the server may have closed it before the request came. Default: never.
   */
  readonly mayRepeat?: Repeat | undefined;
  /** Adds no headers, and leaves the body of the response compressed: both belong to a client. */
  readonly isRelayed?: boolean;
}

/** For requests that may reach the server twice without harm. */
export type Repeat = 'always' | 'if-reused';

/** A response whose body has not been read. */
export interface HttpResponse {
  readonly status: number;
  readonly headers: IncomingHttpHeaders;
  /** The content type without parameters, in lower case. Empty if there is none. */
  readonly type: string;
  /** The caller must read it to its end, or destroy it. */
  readonly body: Readable;
  /** The address that answered, after redirects. */
  readonly url: URL;
}

/** Why a redirect is not followed. */
export type RedirectProblem = keyof typeof REDIRECT_PROBLEMS;

const REDIRECT_PROBLEMS = {
  'no-address': 'the redirect has no valid address',
  'too-many': 'there are more than 5 redirects',
  'to-http': 'the redirect goes from HTTPS to HTTP',
  'other-origin': 'the redirect goes to another origin',
  'loses-request': 'the redirect would lose the request',
};

export class RedirectRefused extends AddressRefused {
  readonly problem: RedirectProblem;
  readonly status: number;
  readonly from: URL;
  /** Default: the redirect has no valid address. */
  readonly target: URL | undefined;

  constructor(problem: RedirectProblem, { status, url }: HttpResponse, target?: URL) {
    super(REDIRECT_PROBLEMS[problem]);
    this.problem = problem;
    this.status = status;
    this.from = url;
    this.target = target;
  }
}

/**
 * How long an idle connection is kept: less than the five seconds after which many servers close it. A request that is
 * sent at that moment is lost.
 */
const IDLE_MS = 4_000;
const CONNECT_MS = 10_000;
/** `undici` ends a connection with these itself: it is idle, or no longer needed. */
const OWN_ENDS: ReadonlySet<string | undefined> = new Set(['UND_ERR_INFO', 'UND_ERR_DESTROYED']);
const MAX_REDIRECTS = 5;
/** These repeat the request as it is. Others may turn it into a GET. */
const REPEATING = [307, 308];
const REDIRECTS = [301, 302, 303, ...REPEATING];
const CREDENTIALS = ['authorization', 'cookie', 'proxy-authorization'];
/** The platform's `fetch` sends these too. Some APIs refuse requests without a `User-Agent`. */
const DEFAULT_HEADERS = {
  accept: '*/*',
  'accept-encoding': 'gzip, deflate, br',
  'user-agent': 'callsign',
};

/** Call `close` when it is not needed any more. Idle connections do not keep the process alive. */
export class HttpClient {
  readonly #options: HttpClientOptions;
  readonly #trusted: ReadonlySet<string>;
  readonly #agents = new Map<string, Agent>();
  /** Agents that get no more requests. They end with their last response. */
  readonly #retired = new Set<Agent>();
  /** The errors of connections that broke after a response. */
  readonly #staleErrors = new WeakSet<Error>();
  readonly #connecting = new Set<Socket>();
  #open = 0;
  #isClosed = false;

  constructor(options: HttpClientOptions = {}) {
    this.#options = options;
    const { trustedOrigins = [] } = options.guard ?? {};
    this.#trusted = new Set(trustedOrigins.map((origin) => new URL(origin).origin));
  }

  get isClosed(): boolean {
    return this.#isClosed;
  }

  /** Whether a request has no response yet, or the body of one is still to come. */
  get isBusy(): boolean {
    return this.#open > 0;
  }

  /**
   * Resolves with the head of the response; the body is still to come. Rejects with a `RequestFailed`, with an
   * `AddressRefused`, or with the reason of the signal.
   */
  async request(address: string | URL, request: HttpRequest = {}): Promise<HttpResponse> {
    let url = new URL(address);
    let sent = request;
    for (let hops = 0; ; hops++) {
      const response = await this.#send(url, sent).catch((error: unknown) => {
        if (error instanceof AddressRefused) error.url = url;
        throw error;
      });
      const { redirects = 'none' } = request;
      if (redirects === 'none' || !REDIRECTS.includes(response.status)) return response;
      if (redirects === 'any' && response.headers.location === undefined) return response;
      discard(response.body);
      const target = targetOf(response, sent, redirects);
      if (hops === MAX_REDIRECTS) throw new RedirectRefused('too-many', response, target);
      sent = redirected(sent, response.status, target.origin === url.origin);
      url = target;
    }
  }

  /** Aborts all requests and closes all connections. */
  close(): void {
    this.#isClosed = true;
    for (const agent of [...this.#agents.values(), ...this.#retired]) void agent.destroy();
    this.#leaveConnecting();
  }

  async #send(url: URL, request: HttpRequest): Promise<HttpResponse> {
    const { guard } = this.#options;
    const isChecked = guard !== undefined && !this.#trusted.has(url.origin);
    if (isChecked) checkUrl(url, guard);
    const { signal, isRelayed = false, mayRepeat } = request;
    const key = `${isChecked}`;
    const agent = this.#agents.get(key) ?? (await this.#openAgent(key, isChecked, false));
    let received: Received;
    try {
      received = await this.#sendOnce(agent, url, request);
    } catch (error) {
      if (signal?.aborted || this.#isClosed || !isLost(error)) throw error;
      // The server may have closed an idle connection at the moment when we used it, and others with it.
      const isStale = this.#staleErrors.has(error.cause as Error);
      if (isStale && this.#agents.get(key) === agent) this.#retire(key, agent);
      if (mayRepeat !== 'always' && !(isStale && mayRepeat === 'if-reused')) throw error;
      const fresh = `${key} fresh`;
      const other = this.#agents.get(fresh) ?? (await this.#openAgent(fresh, isChecked, true));
      received = await this.#sendOnce(other, url, request);
    }
    const { status, headers, body } = received;
    const type = (headers['content-type'] ?? '').split(';')[0]!.trim().toLowerCase();
    return { status, headers, type, body: isRelayed ? body : decoded(received), url };
  }

  /** Closes its idle connections. Requests under way go on. */
  #retire(key: string, agent: Agent): void {
    this.#agents.delete(key);
    this.#retired.add(agent);
    void agent.close().then(() => this.#retired.delete(agent));
  }

  async #sendOnce(
    agent: Agent,
    { origin, pathname, search }: URL,
    { method = 'GET', headers = {}, body, signal, isRelayed }: HttpRequest,
  ): Promise<Received> {
    signal?.throwIfAborted();
    if (this.#isClosed) throw new RequestFailed('The client was closed.', 'ECONNABORTED', false);
    this.#open++;
    const { servername } = this.#options.tls ?? {};
    const options: Dispatcher.DispatchOptions & { servername?: string } = {
      origin,
      path: pathname + search,
      method: method as Dispatcher.HttpMethod,
      headers: isRelayed ? headers : { ...DEFAULT_HEADERS, ...lowerCased(headers) },
      body: body ?? null,
      ...(servername === undefined ? {} : { servername }),
    };
    return exchange(agent, options, signal, () => {
      // No request waits for these any more.
      if (--this.#open === 0) this.#leaveConnecting();
    });
  }

  async #openAgent(key: string, isChecked: boolean, isFresh: boolean): Promise<Agent> {
    // Loaded with the first request: most starts need no HTTP.
    const { default: undici } = await import('undici');
    const {
      guard,
      tls,
      connectTimeoutMs: timeout = CONNECT_MS,
      onSocket,
      onBroken,
    } = this.#options;
    const lookup = isChecked ? { lookup: checkedLookup(guard ?? {}) } : {};
    const connect = undici.buildConnector({
      ...tls,
      ...lookup,
      timeout,
    } as buildConnector.BuildOptions);
    const connector: buildConnector.connector = (options, done) => {
      const socket = connect(options, (...connected) => {
        this.#connecting.delete(socket);
        done(...connected);
      }) as unknown as Socket;
      this.#connecting.add(socket);
      onSocket?.(socket);
      socket.once('error', (error) => {
        if (socket.bytesRead > 0) this.#staleErrors.add(error);
      });
      if (onBroken) {
        socket.once('end', onBroken);
        socket.once('error', ({ code }: NodeJS.ErrnoException) => OWN_ENDS.has(code) || onBroken());
      }
      return socket;
    };
    const found = this.#agents.get(key);
    if (found) return found;
    const agent = new undici.Agent({
      connect: connector,
      // Zero: a connection is used once.
      pipelining: isFresh ? 0 : 1,
      keepAliveTimeout: IDLE_MS,
      keepAliveMaxTimeout: IDLE_MS,
      keepAliveTimeoutThreshold: 1_000,
      headersTimeout: 0,
      bodyTimeout: 0,
    });
    this.#agents.set(key, agent);
    return agent;
  }

  #leaveConnecting(): void {
    for (const socket of this.#connecting) socket.destroy();
  }
}

function isLost(error: unknown): error is RequestFailed {
  return (
    error instanceof RequestFailed && error.isSent && /^(?:ECONNRESET|EPIPE)$/.test(error.code)
  );
}

function targetOf(
  response: HttpResponse,
  { method = 'GET' }: HttpRequest,
  redirects: 'same-origin' | 'any',
): URL {
  const { status, url, headers } = response;
  const { location } = headers;
  if (location === undefined || !URL.canParse(location, url.href)) {
    throw new RedirectRefused('no-address', response);
  }
  const target = new URL(location, url);
  if (redirects === 'any') {
    const isDown = url.protocol === 'https:' && target.protocol !== 'https:';
    if (isDown) throw new RedirectRefused('to-http', response, target);
    return target;
  }
  target.username = target.password = target.hash = '';
  if (target.origin !== url.origin) throw new RedirectRefused('other-origin', response, target);
  if (!REPEATING.includes(status) && method !== 'GET') {
    throw new RedirectRefused('loses-request', response, target);
  }
  return target;
}

/** The request after a redirect, as browsers send it. */
function redirected(request: HttpRequest, status: number, isSameOrigin: boolean): HttpRequest {
  const { method = 'GET', secretHeaders = [] } = request;
  const headers = lowerCased(request.headers ?? {});
  if (!isSameOrigin) {
    for (const name of [...CREDENTIALS, ...secretHeaders]) delete headers[name.toLowerCase()];
  }
  const becomesGet =
    (status === 303 && method !== 'HEAD') ||
    ((status === 301 || status === 302) && method === 'POST');
  if (!becomesGet) return { ...request, headers };
  delete headers['content-type'];
  return { ...request, method: 'GET', headers, body: undefined };
}

function lowerCased<T>(headers: Readonly<Record<string, T>>): Record<string, T> {
  const result: Record<string, T> = {};
  for (const name of Object.keys(headers)) result[name.toLowerCase()] = headers[name]!;
  return result;
}
