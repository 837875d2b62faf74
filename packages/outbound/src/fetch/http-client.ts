/**
 * A `fetch` over Node's own HTTP with a choice of resolver. Follows no redirects. The platform's
 * `fetch` offers no such choice without another package.
 */

import {
  Agent,
  type ClientRequest,
  type IncomingMessage,
  request as httpRequest,
  type RequestOptions,
} from 'node:http';
import { Agent as SecureAgent, request as httpsRequest } from 'node:https';
import type { LookupFunction } from 'node:net';

import { responseOf } from './response.js';

export interface HttpClientOptions {
  readonly connectTimeoutMs: number;
  /** Resolves names. Unset: the system's resolver. */
  readonly lookup?: LookupFunction;
}

export interface HttpClient {
  fetch(url: URL, init?: RequestInit): Promise<Response>;
  /** Closes all connections. */
  close(): void;
}

/**
 * How long an idle connection is kept: less than the five seconds after which servers commonly
 * close.
 */
const IDLE_MS = 4000;
/** The same headers as the platform's `fetch`. Some APIs refuse requests without a `User-Agent`. */
const DEFAULT_HEADERS: Readonly<Record<string, string>> = {
  accept: '*/*',
  'accept-encoding': 'gzip, deflate, br',
  'user-agent': 'callsign',
};

export function createHttpClient({ connectTimeoutMs, lookup }: HttpClientOptions): HttpClient {
  const connection = { keepAlive: true, timeout: IDLE_MS, ...(lookup ? { lookup } : {}) };
  const plain = new Agent(connection);
  const secure = new SecureAgent(connection);

  function open(url: URL, options: RequestOptions): ClientRequest {
    return url.protocol === 'https:'
      ? httpsRequest(url, { ...options, agent: secure })
      : httpRequest(url, { ...options, agent: plain });
  }

  return {
    async fetch(url, init = {}) {
      const { signal } = init;
      signal?.throwIfAborted();
      const { method, headers, body } = await written(url, init);
      signal?.throwIfAborted();
      const request = open(url, { method, headers });
      const message = answerTo(request, url, connectTimeoutMs, signal ?? undefined);
      request.end(body);
      return responseOf(await message, method, url);
    },
    close() {
      plain.destroy();
      secure.destroy();
    },
  };
}

interface Written {
  readonly method: string;
  readonly headers: Record<string, string>;
  readonly body: Buffer | undefined;
}

/** Uses the platform's `Request`, which knows every kind of body and its content type. */
async function written(url: URL, init: RequestInit): Promise<Written> {
  const { method = 'GET', headers = {}, body = null } = init;
  const request = new Request(url, { method, headers, body, duplex: 'half' });
  const bytes = request.body === null ? undefined : Buffer.from(await request.arrayBuffer());
  return {
    method: request.method,
    headers: {
      ...DEFAULT_HEADERS,
      ...Object.fromEntries(request.headers),
      // Node omits it for DELETE and others. The server would read the body as the next request.
      ...(bytes ? { 'content-length': String(bytes.length) } : {}),
    },
    body: bytes,
  };
}

/**
 * Rejects as `fetch` does: with the reason of the signal, or with a `TypeError` whose cause is the
 * failure.
 */
function answerTo(
  request: ClientRequest,
  url: URL,
  connectTimeoutMs: number,
  signal: AbortSignal | undefined,
): Promise<IncomingMessage> {
  return new Promise((resolve, reject) => {
    let answer: IncomingMessage | undefined;
    const onAbort = (): void => {
      const reason: unknown = signal?.reason;
      reject(reason);
      const error = reason instanceof Error ? reason : new Error('The request was aborted.');
      // The reader of the body must get the reason too.
      answer?.destroy(error);
      request.destroy(error);
    };
    signal?.addEventListener('abort', onAbort, { once: true });
    const late = setTimeout(() => {
      request.destroy(Object.assign(new Error('No connection in time.'), { code: 'ETIMEDOUT' }));
    }, connectTimeoutMs);
    request.once('socket', (socket) => {
      if (request.reusedSocket) return clearTimeout(late);
      const event = url.protocol === 'https:' ? 'secureConnect' : 'connect';
      socket.once(event, () => clearTimeout(late));
    });
    // A request may emit more than one error. The first counts.
    request.on('error', (cause) => {
      clearTimeout(late);
      reject(new TypeError('fetch failed', { cause }));
    });
    request.once('response', (message) => {
      answer = message;
      resolve(message);
    });
    request.once('close', () => {
      clearTimeout(late);
      signal?.removeEventListener('abort', onAbort);
    });
  });
}
