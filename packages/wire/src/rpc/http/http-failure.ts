/**
 * A failure over HTTP. Its message contains no header, no query and no secret part of an address.
 */

import { placeOf } from '@callsign/core/secrets';

import type { Refusal } from './refusal.js';

/** What is known about a failure. */
export interface FailureDetails {
  readonly url: URL;
  /** The status of the response. Unset: there was no response. */
  readonly status?: number;
  /** The JSON-RPC error in the body, if there was one. */
  readonly refusal?: Refusal | undefined;
  /** Another attempt would fail in the same way. */
  readonly isFinal?: boolean;
  /** The server did not receive the request. Unset: it may have. */
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

  constructor(reason: string, details: FailureDetails) {
    const { url, status, refusal, retryAfterMs, size } = details;
    const { isFinal = false, isUnsent = false } = details;
    super(reason === '' ? `HTTP ${status} from ${placeOf(url)}` : `${reason} (${placeOf(url)})`);
    this.name = 'HttpFailure';
    this.status = status;
    this.refusal = refusal;
    this.isFinal = isFinal;
    this.isUnsent = isUnsent;
    this.retryAfterMs = retryAfterMs;
    this.size = size;
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

const WORDS: Readonly<Record<string, string>> = {
  ECONNREFUSED: 'connection refused',
  ECONNRESET: 'the connection was reset',
  EPIPE: 'the connection was reset',
  ENOTFOUND: 'its host name is not known',
  EAI_AGAIN: 'its host name could not be looked up',
  ETIMEDOUT: 'it could not be reached in time',
  EHOSTUNREACH: 'its host could not be reached',
  ENETUNREACH: 'its network could not be reached',
};

/** Errors of connections that were never made. */
const UNSENT: ReadonlySet<string> = new Set([
  'ECONNREFUSED',
  'ENOTFOUND',
  'EAI_AGAIN',
  'EHOSTUNREACH',
  'ENETUNREACH',
]);

/**
 * Turns an error of Node into an `HttpFailure`. Node's message may repeat what was sent, so only
 * its code is kept.
 */
export function failureOf(error: unknown, url: URL): HttpFailure {
  if (error instanceof HttpFailure) return error;
  const { code = '', message } = error as NodeJS.ErrnoException;
  // The messages of these two name the header, not its value.
  if (code === 'ERR_INVALID_CHAR' || code === 'ERR_INVALID_HTTP_TOKEN') {
    return new HttpFailure(`a header cannot be sent: ${message}`, { url, isFinal: true });
  }
  const isTrust = /CERT|SELF_SIGNED|UNABLE_TO_|ALTNAME/.test(code);
  const words = isTrust ? 'its certificate was not accepted' : 'the connection failed';
  const isUnsent = isTrust || UNSENT.has(code);
  return new HttpFailure(WORDS[code] ?? `${words}${code === '' ? '' : `: ${code}`}`, {
    url,
    isUnsent,
  });
}

export function tooLarge(size: AnswerSize, url: URL): HttpFailure {
  const reason = `it sent a message of more than ${size.limit} bytes`;
  return new HttpFailure(reason, { url, isFinal: true, size });
}
