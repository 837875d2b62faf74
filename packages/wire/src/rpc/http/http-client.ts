/**
 * An HTTP client for one server, with its own pool of connections. It does not use `fetch`, which
 * gives up after five minutes without a byte: tools may take longer.
 */

import { Agent, request as requestHttp } from 'node:http';
import type { ClientRequest, IncomingHttpHeaders, IncomingMessage } from 'node:http';
import { Agent as TlsAgent, request as requestHttps } from 'node:https';
import { pipeline, type Readable } from 'node:stream';
import { createBrotliDecompress, createUnzip } from 'node:zlib';

import { InFlight } from '@callsign/core';

import { discard } from './http-body.js';
import type { HttpCredentials } from './http-credentials.js';
import { failureOf, HttpFailure } from './http-failure.js';
import { isMcp, redirect, REDIRECTS } from './http-redirect.js';

/** One request. Headers must be in lower case. */
export interface HttpRequest {
  readonly method: 'GET' | 'POST' | 'DELETE';
  /** Unset: the server's own address. */
  readonly url?: URL;
  readonly headers: Readonly<Record<string, string>>;
  readonly body?: string;
  /** True if the request may reach the server twice without harm. */
  readonly mayRepeat?: boolean;
}

/** A response whose body has not been read. */
export interface HttpResponse {
  readonly status: number;
  readonly headers: IncomingHttpHeaders;
  /** Without parameters, in lower case. Empty if the server sent none. */
  readonly type: string;
  readonly body: Readable;
  /** The address that answered, after redirects. */
  readonly url: URL;
}

/** A request and its response. */
export interface Exchange {
  /** Rejects with an `HttpFailure`. The caller must read the body to its end, or destroy it. */
  readonly response: Promise<HttpResponse>;
  abort(): void;
}

/**
 * The state of an exchange, which may consist of several requests: redirects, renewed credentials,
 * a repetition.
 */
interface Flight {
  isAborted: boolean;
  current: ClientRequest | undefined;
}

/**
 * Many servers close an idle connection after five seconds, and a request sent at that moment is
 * lost. So we close first.
 */
const IDLE_MS = 4_000;
const MAX_REDIRECTS = 3;
/** Responses such as "103 Early Hints" before the real one. Some servers send one every second. */
const MAX_INTERIM = 10_000;
/** Headers that we always set ourselves, even if the configuration has them. */
const RESERVED = ['connection', 'content-length', 'transfer-encoding', 'accept-encoding'];

/**
 * One per channel. It remembers where messages are redirected to within the origin, so later
 * requests go there directly.
 */
export class HttpClient {
  readonly #headers: Readonly<Record<string, string>>;
  readonly #credentials: HttpCredentials | undefined;
  readonly #agent: Agent | TlsAgent;
  /** For a request that is sent again, on a new connection. */
  readonly #freshAgent: Agent | false;
  readonly #live = new InFlight<number, ClientRequest>();
  #lastStarted = 0;
  #url: URL;
  #unsent = 0;
  #isClosed = false;

  constructor(
    url: URL,
    headers: Readonly<Record<string, string>>,
    credentials?: HttpCredentials | undefined,
    /** Opens the connections. It is destroyed with this client. Unset: a plain one. */
    agent?: Agent | undefined,
  ) {
    this.#url = new URL(url);
    this.#url.username = this.#url.password = this.#url.hash = '';
    this.#headers = ownHeaders(url, headers);
    this.#credentials = credentials;
    const options = { keepAlive: true, keepAliveMsecs: 30_000, timeout: IDLE_MS };
    this.#agent = agent ?? (url.protocol === 'https:' ? new TlsAgent(options) : new Agent(options));
    // Not from the pool: the next connection there may be dead too.
    this.#freshAgent = agent ?? false;
  }

  get url(): URL {
    return this.#url;
  }

  /** Bytes of request bodies that are not sent yet. */
  get unsent(): number {
    return this.#unsent;
  }

  exchange(request: HttpRequest): Exchange {
    const flight: Flight = { isAborted: false, current: undefined };
    return {
      response: this.#follow(request, flight),
      abort: () => {
        flight.isAborted = true;
        flight.current?.destroy();
      },
    };
  }

  /** Aborts all exchanges and closes all connections. */
  close(): void {
    this.#isClosed = true;
    for (const request of this.#live.values()) request.destroy();
    this.#agent.destroy();
  }

  async #follow(request: HttpRequest, flight: Flight): Promise<HttpResponse> {
    const first = request.url ?? this.#url;
    let url = first;
    for (let hops = 0; ; hops++) {
      const response = await this.#introduce(request, url, flight);
      if (!REDIRECTS.includes(response.status)) {
        // Later messages go there directly. Another method may be redirected to a page for people.
        const isPost = first === this.#url && request.method === 'POST';
        if (isPost && isMcp(response)) this.#url = url;
        return response;
      }
      discard(response.body);
      const target = redirect(request.method, url, response);
      if (hops === MAX_REDIRECTS) {
        throw new HttpFailure('it redirects too often', { url, status: response.status });
      }
      url = target;
    }
  }

  /**
   * Sends with the current credentials. On 401 it renews them and sends once more: a server that
   * refused the credentials has not acted on the request.
   */
  async #introduce(request: HttpRequest, url: URL, flight: Flight): Promise<HttpResponse> {
    const credentials = this.#credentials;
    if (!credentials) return this.#send(request, url, flight);
    const shown = await credentials.headers();
    const sendWith = (more: Readonly<Record<string, string>>): Promise<HttpResponse> =>
      this.#send({ ...request, headers: { ...request.headers, ...more } }, url, flight);
    let response = await sendWith(shown);
    if (response.status !== 401) return response;
    discard(response.body);
    if (await credentials.renew(shown, response.headers['www-authenticate'])) {
      response = await sendWith(await credentials.headers());
      if (response.status !== 401) return response;
      discard(response.body);
    }
    throw new HttpFailure(credentials.advice, { url, status: 401 });
  }

  async #send(request: HttpRequest, url: URL, flight: Flight): Promise<HttpResponse> {
    try {
      return await this.#sendOnce(request, url, flight, this.#agent);
    } catch (error) {
      // The server closed an idle connection at the moment when we used it.
      const wasIdle = flight.current?.reusedSocket === true && isReset(error);
      if (!wasIdle || !request.mayRepeat || flight.isAborted) throw failureOf(error, url);
    }
    return this.#sendOnce(request, url, flight, this.#freshAgent).catch((error: unknown) => {
      throw failureOf(error, url);
    });
  }

  /** Resolves with the headers of the response; the body is still to come. */
  #sendOnce(
    { method, headers, body }: HttpRequest,
    url: URL,
    flight: Flight,
    agent: Agent | false,
  ): Promise<HttpResponse> {
    return new Promise((resolve, reject) => {
      if (this.#isClosed || flight.isAborted)
        throw new HttpFailure('it was aborted', { url, isUnsent: true });
      const bytes = body === undefined ? 0 : Buffer.byteLength(body);
      const send = url.protocol === 'https:' ? requestHttps : requestHttp;
      const started = send(url, {
        method,
        agent,
        headers: {
          ...this.#headers,
          ...headers,
          ...(body === undefined ? {} : { 'content-length': bytes }),
        },
      });
      const number = ++this.#lastStarted;
      this.#live.set(number, started);
      this.#unsent += bytes;
      let isSent = false;
      const onSent = (): void => {
        if (!isSent) this.#unsent -= bytes;
        isSent = true;
      };
      started.once('finish', onSent);
      started.once('response', (message) => resolve(responseOf(message, url)));
      let interim = 0;
      started.on('information', () => {
        const reason = 'it sent too many interim responses';
        if (++interim > MAX_INTERIM) started.destroy(new HttpFailure(reason, { url }));
      });
      started.on('error', reject);
      started.once('close', () => {
        onSent();
        this.#live.delete(number);
        reject(new HttpFailure('the connection was closed', { url }));
      });
      flight.current = started;
      started.end(body);
    });
  }
}

function ownHeaders(
  { username, password }: URL,
  headers: Readonly<Record<string, string>>,
): Record<string, string> {
  const entries = Object.entries(headers).map(([name, value]) => [name.toLowerCase(), value]);
  const given = Object.fromEntries(entries.filter(([name]) => !RESERVED.includes(name!))) as Record<
    string,
    string
  >;
  const pair = `${unescaped(username)}:${unescaped(password)}`;
  return {
    ...(pair === ':' ? {} : { authorization: `Basic ${Buffer.from(pair).toString('base64')}` }),
    ...given,
    'accept-encoding': 'identity',
  };
}

/** Decoded, or unchanged if it is not valid encoding. */
function unescaped(text: string): string {
  try {
    return decodeURIComponent(text);
  } catch {
    return text;
  }
}

function responseOf(message: IncomingMessage, url: URL): HttpResponse {
  const { statusCode: status = 0, headers } = message;
  const type = (headers['content-type'] ?? '').split(';')[0]!.trim().toLowerCase();
  return { status, headers, type, body: decoded(message), url };
}

/** Some servers compress without being asked. Errors are emitted by the body. */
function decoded(message: IncomingMessage): Readable {
  const encoding = (message.headers['content-encoding'] ?? '').trim().toLowerCase();
  if (/^(?:x-gzip|gzip|deflate)$/.test(encoding))
    return pipeline(message, createUnzip(), () => undefined);
  if (encoding === 'br') return pipeline(message, createBrotliDecompress(), () => undefined);
  return message;
}

function isReset(error: unknown): boolean {
  const { code } = error as NodeJS.ErrnoException;
  return code === 'ECONNRESET' || code === 'EPIPE';
}
