/** The errors of calls to Lightdash, with messages that say what to do. */

/** What went wrong, as far as a caller can act on it. */
export type LightdashErrorKind =
  /** The token is missing, wrong or disabled. */
  | 'unauthorized'
  | 'forbidden'
  | 'not-found'
  /** The server does not know the address: it is older or newer than expected. */
  | 'no-endpoint'
  | 'invalid'
  | 'rate-limited'
  | 'server'
  | 'unreachable'
  | 'timeout'
  /** The answer is not from Lightdash, but from another server or a proxy. */
  | 'not-lightdash'
  /** An answer that cannot be read. */
  | 'malformed';

/** Facts from the response, if there was one. */
export interface LightdashErrorDetails {
  readonly status?: number | undefined;
  /** The server's own error name, such as `NotFoundError`. */
  readonly apiName?: string | undefined;
  readonly retryAfterMs?: number | undefined;
}

/** Contains neither the request nor its headers, so it can be shown and logged. */
export class LightdashError extends Error {
  override readonly name = 'LightdashError';
  readonly kind: LightdashErrorKind;
  readonly status: number | undefined;
  readonly apiName: string | undefined;
  readonly retryAfterMs: number | undefined;

  constructor(kind: LightdashErrorKind, message: string, details: LightdashErrorDetails = {}) {
    super(message);
    this.kind = kind;
    this.status = details.status;
    this.apiName = details.apiName;
    this.retryAfterMs = details.retryAfterMs;
  }
}

/** Whether this Lightdash does not have the address: it is older or newer than expected. */
export function isMissingEndpoint(error: unknown): boolean {
  return error instanceof LightdashError && error.kind === 'no-endpoint';
}
