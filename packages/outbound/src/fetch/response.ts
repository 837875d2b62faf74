/** Turns a message of Node's HTTP into the platform's `Response`, decompressed. */

import type { IncomingMessage } from 'node:http';
import { pipeline, Readable, type Transform } from 'node:stream';
import { constants, createBrotliDecompress, createGunzip, createInflate } from 'node:zlib';

/** Statuses whose responses have no body. */
const EMPTY: ReadonlySet<number> = new Set([101, 204, 205, 304]);

/** Characters that the constructor of `Response` refuses, such as control characters. */
const NOT_IN_REASON = /[^\t -~\u0080-\u00FF]/g;

/** A body that ends too early is read up to its end, as browsers do. Functions: Node's zlib is loaded at its first use. */
const lenient = () => ({ flush: constants.Z_SYNC_FLUSH, finishFlush: constants.Z_SYNC_FLUSH });
const lenientBrotli = () => ({
  flush: constants.BROTLI_OPERATION_FLUSH,
  finishFlush: constants.BROTLI_OPERATION_FLUSH,
});
const DECODERS: ReadonlyMap<string, () => Transform> = new Map<string, () => Transform>([
  ['gzip', () => createGunzip(lenient())],
  ['x-gzip', () => createGunzip(lenient())],
  ['deflate', () => createInflate(lenient())],
  ['br', () => createBrotliDecompress(lenientBrotli())],
]);

export function responseOf(message: IncomingMessage, method: string, url: URL): Response {
  const { statusCode: status = 0, statusMessage: reason = '' } = message;
  const headers = new Headers();
  for (const [name, values] of Object.entries(message.headersDistinct)) {
    for (const value of values ?? []) headers.append(name, value);
  }
  const isEmpty = EMPTY.has(status) || method === 'HEAD';
  if (isEmpty) message.resume();
  const body = isEmpty ? null : (Readable.toWeb(decoded(message)) as ReadableStream<Uint8Array>);
  const statusText = reason.replace(NOT_IN_REASON, '');
  // The constructor refuses other statuses, such as 999, which the platform's `fetch` accepts.
  const isUsual = status >= 200 && status <= 599;
  const response = new Response(body, { headers, statusText, ...(isUsual ? { status } : {}) });
  return Object.defineProperties(response, {
    url: { value: url.href },
    ...(isUsual ? {} : { status: { value: status }, ok: { value: false } }),
  });
}

function decoded(message: IncomingMessage): Readable {
  const encoding = (message.headers['content-encoding'] ?? '').trim().toLowerCase();
  const decoder = DECODERS.get(encoding)?.();
  // The callback does nothing: the decoder passes a failure on to the reader.
  return decoder ? pipeline(message, decoder, () => undefined) : message;
}
