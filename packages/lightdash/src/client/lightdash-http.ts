/**
 * Sends requests to Lightdash with the token, with limits on number and time. Only reads are
 * retried.
 */

import {
  BodyTooLarge,
  HttpClient,
  readText,
  RequestFailed,
  withoutSecrets,
} from '@callsign/outbound';

import { readAnswer, type HttpAnswer } from './answer.js';
import type { CallOptions } from './call-options.js';
import type { Connection } from './connection.js';
import { Gate } from './gate.js';
import { LightdashError } from './lightdash-error.js';
import type { ApiPath } from './path.js';
import { pause } from './pause.js';
import { pauseBeforeRetry, RETRY_POLICY, type RetryPolicy } from './retry.js';

/**
 * Limits that protect both sides: Lightdash from too many requests, this server from large answers.
 */
export interface HttpLimits {
  /** The time limit of one try. */
  readonly timeoutMs: number;
  /** How many requests run at a time. */
  readonly concurrency: number;
  readonly maxAnswerBytes: number;
  readonly retry: RetryPolicy;
}

export interface ApiRequest {
  readonly method: 'GET' | 'POST' | 'PUT' | 'PATCH' | 'DELETE';
  readonly path: ApiPath;
  /** Undefined values are omitted. A list is sent value by value. */
  readonly query?: Readonly<Record<string, string | number | readonly string[] | undefined>>;
  readonly body?: unknown;
  readonly signal?: AbortSignal | undefined;
}

const LIMITS: HttpLimits = {
  timeoutMs: 30_000,
  concurrency: 5,
  maxAnswerBytes: 64 * 1024 * 1024,
  retry: RETRY_POLICY,
};

/** One for all tools of a server, so that the limits apply to all of them together. */
export class LightdashHttp {
  readonly #connection: Connection;
  readonly #limits: HttpLimits;
  readonly #gate: Gate;
  readonly #client = new HttpClient();

  constructor(connection: Connection, limits: Partial<HttpLimits> = {}) {
    this.#connection = connection;
    this.#limits = { ...LIMITS, ...limits };
    this.#gate = new Gate(this.#limits.concurrency);
  }

  get(
    path: ApiPath,
    { signal }: CallOptions = {},
    query: ApiRequest['query'] = {},
  ): Promise<unknown> {
    return this.send({ method: 'GET', path, query, signal });
  }

  /** All methods except GET. */
  write(
    method: Exclude<ApiRequest['method'], 'GET'>,
    path: ApiPath,
    { signal }: CallOptions = {},
    body?: object,
  ): Promise<unknown> {
    return this.send({ method, path, body, signal });
  }

  /** The results of the answer. Throws a {@link LightdashError}, or the signal's reason. */
  async send(request: ApiRequest): Promise<unknown> {
    const { signal, method } = request;
    for (let attempt = 0; ; attempt++) {
      try {
        return await this.#gate.run(signal, () => this.#exchange(request));
      } catch (error) {
        // Writes are not retried: one may have taken effect although its answer was lost.
        const ms =
          method === 'GET' ? pauseBeforeRetry(error, attempt, this.#limits.retry) : undefined;
        if (ms === undefined) throw error;
        // The pause is outside the gate, so that a waiting request does not block others.
        await pause(ms, signal);
      }
    }
  }

  async #exchange(request: ApiRequest): Promise<unknown> {
    const { signal } = request;
    const timeout = AbortSignal.timeout(this.#limits.timeoutMs);
    let answer: HttpAnswer;
    try {
      answer = await this.#fetch(request, signal ? AbortSignal.any([signal, timeout]) : timeout);
    } catch (error) {
      signal?.throwIfAborted();
      if (timeout.aborted) throw this.#tookTooLong();
      throw error instanceof LightdashError ? error : this.#networkError(error);
    }
    return readAnswer(answer);
  }

  async #fetch(
    { method, path, query, body }: ApiRequest,
    signal: AbortSignal,
  ): Promise<HttpAnswer> {
    const { token, headers } = this.#connection;
    // No redirects: the token is sent to the configured host only.
    const response = await this.#client.request(this.#address(path, query), {
      method,
      signal,
      headers: {
        ...Object.fromEntries(Array.from(headers, ([name, value]) => [name, value.expose()])),
        Accept: 'application/json',
        Authorization: `ApiKey ${token.expose()}`,
        ...(body === undefined ? {} : { 'Content-Type': 'application/json' }),
      },
      body: body === undefined ? undefined : JSON.stringify(body),
    });
    const { status, headers: answered } = response;
    const text = await readText(response.body, this.#limits.maxAnswerBytes).catch(
      (error: unknown) => {
        throw signal.aborted ? error : this.#brokenOff(error);
      },
    );
    return {
      status,
      text,
      retryAfter: answered['retry-after'],
      location: answered.location,
      hide: (shown) => withoutSecrets(shown, this.#secrets()),
    };
  }

  #secrets(): string[] {
    const { token, headers } = this.#connection;
    return [token, ...headers.values()].map((each) => each.expose());
  }

  #address(path: ApiPath, query: ApiRequest['query'] = {}): URL {
    const url = new URL(path.slice(1), this.#connection.url);
    for (const [name, value] of Object.entries(query)) {
      const values = Array.isArray(value) ? (value as readonly string[]) : [value];
      for (const each of values)
        if (each !== undefined) url.searchParams.append(name, String(each));
    }
    return url;
  }

  #tookTooLong(): LightdashError {
    const seconds = this.#limits.timeoutMs / 1000;
    return new LightdashError(
      'timeout',
      `Lightdash did not answer within ${seconds} seconds. Ask for less, or try again later.`,
    );
  }

  #brokenOff(error: unknown): LightdashError {
    if (error instanceof BodyTooLarge) {
      const message = 'The answer is too large to be a list of Lightdash.';
      return new LightdashError('not-lightdash', message);
    }
    return new LightdashError(
      'unreachable',
      `Network error: the connection to ${this.#connection.url.origin} was lost during the answer. Try again.`,
    );
  }

  #networkError(error: unknown): LightdashError {
    const code = error instanceof RequestFailed ? ` (${error.code})` : '';
    return new LightdashError(
      'unreachable',
      `Network error: no answer from ${this.#connection.url.origin}${code}. Check LIGHTDASH_URL, and whether Lightdash runs.`,
    );
  }
}
