/** The HTTP client of one server: its address, our headers and credentials, and the failures in our words. */

import { discard, HttpClient, type HttpResponse, type Repeat } from '@callsign/outbound';

import type { HttpCredentials } from './http-credentials.js';
import { failureOf, HttpFailure } from './http-failure.js';

/** One request. Headers must be in lower case. */
export interface HttpRequest {
  readonly method: 'GET' | 'POST' | 'DELETE';
  /** Default: the server's own address. */
  readonly url?: URL;
  readonly headers: Readonly<Record<string, string>>;
  readonly body?: string;
  /** When the request may reach the server twice. Default: never. */
  readonly mayRepeat?: Repeat | undefined;
}

/** A request and its response. */
export interface Exchange {
  /** Rejects with an `HttpFailure`. The caller must read the body to its end, or destroy it. */
  readonly response: Promise<HttpResponse>;
  abort(): void;
}

/** Headers that we always set ourselves, even if the configuration has them. */
const RESERVED = ['connection', 'content-length', 'transfer-encoding', 'accept-encoding'];

/**
 * One per channel. It remembers where messages are redirected to within the origin, so later
 * requests go there directly.
 */
export class ServerClient {
  readonly #headers: Readonly<Record<string, string>>;
  readonly #credentials: HttpCredentials | undefined;
  readonly #client: HttpClient;
  #url: URL;
  #unsent = 0;

  constructor(
    url: URL,
    headers: Readonly<Record<string, string>>,
    credentials?: HttpCredentials | undefined,
    /** Opens the connections. It is closed with this one. */
    client: HttpClient = new HttpClient(),
  ) {
    this.#url = new URL(url);
    this.#url.username = this.#url.password = this.#url.hash = '';
    this.#headers = ownHeaders(url, headers);
    this.#credentials = credentials;
    this.#client = client;
  }

  get url(): URL {
    return this.#url;
  }

  /** Characters of request bodies that have no response yet. */
  get unsent(): number {
    return this.#unsent;
  }

  exchange(request: HttpRequest): Exchange {
    const aborting = new AbortController();
    const response = this.#introduce(request, aborting.signal);
    return { response, abort: () => aborting.abort() };
  }

  /** Aborts all exchanges and closes all connections. */
  close(): void {
    this.#client.close();
  }

  /**
   * Sends with the current credentials. On 401 it renews them and sends once more: a server that
   * refused the credentials has not acted on the request.
   */
  async #introduce(request: HttpRequest, signal: AbortSignal): Promise<HttpResponse> {
    const credentials = this.#credentials;
    if (!credentials) return this.#send(request, signal);
    const shown = await credentials.headers();
    let response = await this.#send(request, signal, shown);
    if (response.status !== 401) return allowed(response, credentials);
    discard(response.body);
    if (await credentials.renew(shown, response.headers['www-authenticate'])) {
      response = await this.#send(request, signal, await credentials.headers());
      if (response.status !== 401) return allowed(response, credentials);
      discard(response.body);
    }
    throw new HttpFailure(credentials.advice, { url: response.url, status: 401 });
  }

  async #send(
    { method, url, headers, body, mayRepeat }: HttpRequest,
    signal: AbortSignal,
    shown?: Readonly<Record<string, string>>,
  ): Promise<HttpResponse> {
    const first = url ?? this.#url;
    const length = body?.length ?? 0;
    this.#unsent += length;
    try {
      const response = await this.#client.request(first, {
        method,
        headers: { ...this.#headers, ...headers, ...shown },
        body,
        signal,
        mayRepeat,
        // Another origin would get our credentials.
        redirects: 'same-origin',
      });
      // Later messages go there directly. Another method may be redirected to a page for people.
      const isMoved = method === 'POST' && first === this.#url && isMcp(response);
      if (isMoved) this.#url = response.url;
      return response;
    } catch (error) {
      throw signal.aborted
        ? new HttpFailure('it was aborted', { url: first, isUnsent: true })
        : failureOf(error, first);
    } finally {
      this.#unsent -= length;
    }
  }
}

/** The response, unless it says that the credentials lack scopes. */
function allowed(response: HttpResponse, credentials: HttpCredentials): HttpResponse {
  const { status, headers, url } = response;
  const challenge = status === 403 ? headers['www-authenticate'] : undefined;
  const advice = challenge === undefined ? undefined : credentials.scopeAdvice?.(challenge);
  if (advice === undefined) return response;
  discard(response.body);
  throw new HttpFailure(advice, { url, status });
}

/** Whether it is an answer to a message. Any other may be a page that says what is wrong. */
function isMcp({ status, type }: HttpResponse): boolean {
  return status === 202 || (status === 200 && /\/(?:json|event-stream)$/.test(type));
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
