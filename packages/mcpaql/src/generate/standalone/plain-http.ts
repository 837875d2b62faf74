/** `fetch` over Node's own HTTP, with a say in how names are resolved: all that the guarded one needs of a library. */

import { request as httpRequest, type IncomingMessage } from 'node:http';
import { request as httpsRequest } from 'node:https';
import type { LookupFunction } from 'node:net';
import { Readable } from 'node:stream';

interface Connect {
  readonly lookup?: LookupFunction;
  readonly timeout?: number;
}

/** How connections are made; each request has its own. */
export class Agent {
  readonly connect: Connect;

  constructor({ connect }: { readonly connect: Connect }) {
    this.connect = connect;
  }

  /** Nothing is kept open between requests. */
  destroy(): Promise<void> {
    return Promise.resolve();
  }
}

export function fetch(
  url: URL,
  init: Omit<RequestInit, 'dispatcher'> & { readonly dispatcher: Agent },
): Promise<Response> {
  const { method = 'GET', headers, body, signal, dispatcher } = init;
  const { lookup, timeout } = dispatcher.connect;
  return new Promise((resolve, reject) => {
    const open = url.protocol === 'https:' ? httpsRequest : httpRequest;
    const request = open(url, {
      method,
      agent: false,
      headers: Object.fromEntries(new Headers(headers)),
      ...(lookup ? { lookup } : {}),
    });
    let answer: IncomingMessage | undefined;
    const giveUp = (reason: unknown): void => {
      const error = reason instanceof Error ? reason : new Error('The request was given up.');
      // Whoever reads the body hears it from there.
      answer?.destroy(error);
      request.destroy(error);
      reject(error);
    };
    const onAbort = (): void => giveUp(signal?.reason);
    signal?.addEventListener('abort', onAbort, { once: true });
    const late = setTimeout(
      () => giveUp(Object.assign(new Error('No connection in time.'), { code: 'ETIMEDOUT' })),
      timeout ?? 10_000,
    );
    request.once('socket', (socket) => {
      const event = url.protocol === 'https:' ? 'secureConnect' : 'connect';
      socket.once(event, () => clearTimeout(late));
    });
    // A socket may fail more than once; the first time counts.
    request.on('error', (error) => {
      clearTimeout(late);
      giveUp(error);
    });
    request.once('close', () => signal?.removeEventListener('abort', onAbort));
    request.once('response', (message) => {
      answer = message;
      try {
        resolve(responseOf(message));
      } catch (error) {
        giveUp(error);
      }
    });
    if (signal?.aborted) return onAbort();
    request.end(typeof body === 'string' ? body : undefined);
  });
}

/** Answers that have no body by their status. */
const EMPTY: ReadonlySet<number> = new Set([101, 204, 205, 304]);

function responseOf(message: IncomingMessage): Response {
  const status = message.statusCode ?? 0;
  const headers = new Headers();
  for (const [name, values] of Object.entries(message.headersDistinct)) {
    for (const value of values ?? []) headers.append(name, value);
  }
  const isEmpty = EMPTY.has(status);
  if (isEmpty) message.resume();
  const body = isEmpty ? null : (Readable.toWeb(message) as ReadableStream<Uint8Array>);
  return new Response(body, { status, headers });
}
