/** One request over `undici` and its response, as streams of Node. */

import type { IncomingHttpHeaders } from 'node:http';
import { pipeline, Readable, type Transform } from 'node:stream';
import { constants, createBrotliDecompress, createUnzip } from 'node:zlib';

import type { Dispatcher } from 'undici';

/** There is no response. The message names no address. */
export class RequestFailed extends Error {
  override readonly name = 'RequestFailed';
  /** As Node names it, such as `ECONNREFUSED`. */
  readonly code: string;
  /** False if the other end has certainly not received the request. */
  readonly isSent: boolean;

  constructor(message: string, code: string, isSent: boolean, options?: ErrorOptions) {
    super(message, options);
    this.code = code;
    this.isSent = isSent;
  }
}

/** A response whose body is still to be read. */
export interface Received {
  readonly status: number;
  /** As Node gives them: values of the same header are joined. */
  readonly headers: IncomingHttpHeaders;
  /** The reader must read it to its end, or destroy it. */
  readonly body: Readable;
}

/** Errors of `undici` that Node's own client names otherwise. */
const OTHER_NAMES: ReadonlyMap<string, readonly [code: string, message: string]> = new Map([
  ['UND_ERR_CONNECT_TIMEOUT', ['ETIMEDOUT', 'Connection timed out.']],
  ['UND_ERR_SOCKET', ['ECONNRESET', 'The connection was closed.']],
  ['UND_ERR_RES_CONTENT_LENGTH_MISMATCH', ['ECONNRESET', 'The connection was closed.']],
  ['UND_ERR_DESTROYED', ['ECONNABORTED', 'The client was closed.']],
  ['UND_ERR_HEADERS_OVERFLOW', ['HPE_HEADER_OVERFLOW', 'The headers are too long.']],
]);
/** Responses such as "103 Early Hints" before the real one. Some servers send one every second. */
const MAX_INTERIM = 10_000;

/** Rejects with a `RequestFailed`, with the reason of the signal, or with an error of the resolver. */
export function exchange(
  dispatcher: Dispatcher,
  options: Dispatcher.DispatchOptions,
  signal: AbortSignal | undefined,
  onOver: () => void,
): Promise<Received> {
  return new Promise((resolve, reject) => {
    dispatcher.dispatch(options, new Exchange(resolve, reject, signal, onOver));
  });
}

class Exchange implements Dispatcher.DispatchHandler {
  readonly #resolve: (response: Received) => void;
  readonly #reject: (error: unknown) => void;
  readonly #signal: AbortSignal | undefined;
  readonly #onOver: () => void;
  #controller: Dispatcher.DispatchController | undefined;
  #body: Readable | undefined;
  #interim = 0;
  #isOver = false;

  constructor(
    resolve: (response: Received) => void,
    reject: (error: unknown) => void,
    signal: AbortSignal | undefined,
    onOver: () => void,
  ) {
    this.#resolve = resolve;
    this.#reject = reject;
    this.#signal = signal;
    this.#onOver = onOver;
    signal?.addEventListener('abort', this.#onAbort);
  }

  readonly #onAbort = (): void => {
    const reason: unknown = this.#signal?.reason;
    this.#reject(reason);
    const error = reason instanceof Error ? reason : new Error('The request was aborted.');
    // The reader of the body must get the reason too.
    if (this.#body) this.#body.destroy(error);
    else this.#abandon(error);
  };

  /** The connection is open, and the request is written next. */
  onRequestStart(controller: Dispatcher.DispatchController): void {
    this.#controller = controller;
    if (this.#isOver) controller.abort(new Error('The request was aborted.'));
  }

  onResponseStart(controller: Dispatcher.DispatchController, status: number): void {
    if (status < 200) {
      const message = 'There are too many interim responses.';
      if (++this.#interim > MAX_INTERIM) {
        controller.abort(new RequestFailed(message, 'TOO_MANY_INTERIM_RESPONSES', true));
      }
      return;
    }
    const body = new Readable({
      read: () => controller.resume(),
      destroy: (error, done) => {
        this.#abandon(error ?? new Error('The body is not read.'));
        done(error);
      },
    });
    // A reader may have left before the connection broke.
    body.on('error', () => undefined);
    this.#body = body;
    this.#resolve({ status, headers: headersIn(controller.rawHeaders as Buffer[]), body });
  }

  onResponseData(controller: Dispatcher.DispatchController, chunk: Buffer): void {
    if (this.#body?.push(chunk) === false) controller.pause();
  }

  onResponseEnd(): void {
    this.#over();
    this.#body?.push(null);
  }

  onResponseError(_: Dispatcher.DispatchController | undefined, error: Error): void {
    this.#over();
    const failure = failureOf(error, this.#controller !== undefined);
    if (this.#body) this.#body.destroy(failure);
    else this.#reject(failure);
  }

  #abandon(error: Error): void {
    if (this.#isOver) return;
    this.#over();
    this.#controller?.abort(error);
  }

  #over(): void {
    if (this.#isOver) return;
    this.#isOver = true;
    this.#signal?.removeEventListener('abort', this.#onAbort);
    this.#onOver();
  }
}

function failureOf(error: NodeJS.ErrnoException, isSent: boolean): Error {
  const { code = '', message } = error;
  if (error instanceof RequestFailed || code === '') return error;
  const [name, words] = OTHER_NAMES.get(code) ?? [code, message];
  return new RequestFailed(words, name, isSent, { cause: error });
}

/** Headers of which only the first counts. */
const SINGLE = new Set(['content-length', 'content-type', 'location', 'retry-after']);

/** `undici` reads headers as UTF-8. Like Node, we keep their bytes. */
function headersIn(raw: readonly Buffer[]): IncomingHttpHeaders {
  const headers: Record<string, string | string[]> = {};
  for (let i = 0; i < raw.length; i += 2) {
    const name = raw[i]!.toString('latin1').toLowerCase();
    const value = raw[i + 1]!.toString('latin1');
    const before = headers[name];
    if (name === 'set-cookie') headers[name] = [...(before ?? []), value];
    else if (before === undefined) headers[name] = value;
    else if (!SINGLE.has(name)) headers[name] = `${String(before)}, ${value}`;
  }
  return headers;
}

/** A body that ends too early is read up to its end, as browsers do. */
const DECODERS: ReadonlyMap<string, () => Transform> = new Map([
  ['gzip', unzip],
  ['x-gzip', unzip],
  ['deflate', unzip],
  ['br', () => createBrotliDecompress({ finishFlush: constants.BROTLI_OPERATION_FLUSH })],
]);

function unzip(): Transform {
  return createUnzip({ flush: constants.Z_SYNC_FLUSH, finishFlush: constants.Z_SYNC_FLUSH });
}

/** The body without its compression. Errors are emitted by the result. */
export function decoded({ headers, body }: Received): Readable {
  const encoding = (headers['content-encoding'] ?? '').trim().toLowerCase();
  const decoder = DECODERS.get(encoding)?.();
  return decoder ? pipeline(body, decoder, () => undefined) : body;
}
