/**
 * A failure over HTTP. Its message contains no header, no query and no secret part of an address.
 */

import { placeOf } from '@callsign/core/secrets';
import { BodyTooLarge, RedirectRefused, RequestFailed } from '@callsign/outbound';

import type { Refusal } from './refusal.js';

/** What is known about a failure. */
export interface FailureDetails {
  /** `undefined`: the message names no address. */
  readonly url: URL | undefined;
  /** The status of the response. Default: there was no response. */
  readonly status?: number;
  /** The JSON-RPC error in the body, if there was one. */
  readonly refusal?: Refusal | undefined;
  /** Another attempt would fail in the same way. */
  readonly isFinal?: boolean;
  /** The server did not receive the request. Default: it may have. */
  readonly isUnsent?: boolean;
  /** How long the server asks us to wait. */
  readonly retryAfterMs?: number | undefined;
  /** Set if the answer is too long. */
  readonly size?: AnswerSize;
}

export interface AnswerSize {
  readonly bytes: number;
  readonly limit: number;
}

/** Every error of this package's HTTP code is one. */
export class HttpFailure extends Error {
  readonly status: number | undefined;
  readonly refusal: Refusal | undefined;
  readonly isFinal: boolean;
  readonly isUnsent: boolean;
  readonly retryAfterMs: number | undefined;
  readonly size: AnswerSize | undefined;
  readonly #reason: string;
  readonly #details: FailureDetails;

  constructor(reason: string, details: FailureDetails) {
    const { url, status, refusal, retryAfterMs, size } = details;
    const { isFinal = false, isUnsent = false } = details;
    const said = reason === '' ? `HTTP ${status}` : reason;
    const place = url && placeOf(url);
    const from = reason === '' ? `${said} from ${place}` : `${said} (${place})`;
    const words = place === undefined ? said : from;
    super(retryAfterMs === undefined ? words : `${words}, try again in ${secondsOf(retryAfterMs)}`);
    this.name = 'HttpFailure';
    this.#reason = reason;
    this.#details = details;
    this.status = status;
    this.refusal = refusal;
    this.isFinal = isFinal;
    this.isUnsent = isUnsent;
    this.retryAfterMs = retryAfterMs;
    this.size = size;
  }

  /** A copy without the address, for messages that callers see. */
  withoutAddress(): HttpFailure {
    return new HttpFailure(this.#reason, { ...this.#details, url: undefined });
  }

  /**
   * The connection was lost after the server received the request, or may have received it. The
   * call may have taken effect.
   */
  get isLost(): boolean {
    if (this.status !== undefined) return this.status >= 200 && this.status < 300;
    return this.isNetwork && !this.isUnsent;
  }

  /** The server did not answer at all. Another attempt may succeed. */
  get isNetwork(): boolean {
    return this.status === undefined && !this.isFinal;
  }
}

/** In whole seconds, as in the header. */
function secondsOf(ms: number): string {
  return `${Math.ceil(ms / 1_000)} s`;
}

const WORDS: Readonly<Record<string, string>> = {
  ECONNREFUSED: 'connection refused',
  ECONNRESET: 'the connection was reset',
  EPIPE: 'the connection was reset',
  ENOTFOUND: 'its host name is not known',
  EAI_AGAIN: 'its host name could not be looked up',
  ETIMEDOUT: 'it could not be reached in time',
  EHOSTUNREACH: 'its host could not be reached',
  ENETUNREACH: 'its network could not be reached',
  ECONNABORTED: 'the connection was closed',
  TOO_MANY_INTERIM_RESPONSES: 'it sent too many interim responses',
};

/**
 * Turns an error of the client into an `HttpFailure`. Its message may repeat what was sent, so only
 * its code is kept.
 */
export function failureOf(error: unknown, url: URL): HttpFailure {
  if (error instanceof HttpFailure) return error;
  if (error instanceof BodyTooLarge) {
    return tooLarge({ bytes: error.size, limit: error.maxBytes }, url);
  }
  if (error instanceof RedirectRefused) {
    const { from, status } = error;
    return new HttpFailure(redirectWords(error), { url: from, status });
  }
  const { code = '', message } = error as NodeJS.ErrnoException;
  // The message names the header, not its value.
  if (code === 'UND_ERR_INVALID_ARG') {
    return new HttpFailure(`a header cannot be sent: ${message}`, { url, isFinal: true });
  }
  const isTrust = /CERT|SELF_SIGNED|UNABLE_TO_|ALTNAME/.test(code);
  const words = isTrust ? 'its certificate was not accepted' : 'the connection failed';
  const isUnsent = error instanceof RequestFailed && !error.isSent;
  return new HttpFailure(WORDS[code] ?? `${words}${code === '' ? '' : `: ${code}`}`, {
    url,
    isUnsent,
  });
}

function redirectWords({ problem, target }: RedirectRefused): string {
  const place = target ? placeOf(target) : '';
  switch (problem) {
    case 'other-origin':
      return `it redirects to another origin, ${place}, which is not followed`;
    case 'loses-request':
      return `it redirects to ${place} in a way that would lose the request`;
    case 'too-many':
      return 'it redirects too often';
    default:
      return 'it redirects without an address';
  }
}

export function tooLarge(size: AnswerSize, url: URL): HttpFailure {
  const reason = `it sent a message of more than ${size.limit} bytes`;
  return new HttpFailure(reason, { url, isFinal: true, size });
}
