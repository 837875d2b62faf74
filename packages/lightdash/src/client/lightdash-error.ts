/** What goes wrong between us and Lightdash, told so that the reader knows what to do. */

export type LightdashErrorKind =
  /** The token is missing, wrong or switched off. */
  | 'unauthorized'
  | 'forbidden'
  | 'not-found'
  /** The server does not know the address: it is older or newer than we think. */
  | 'no-endpoint'
  | 'invalid'
  | 'rate-limited'
  | 'server'
  | 'unreachable'
  | 'timeout'
  /** Whatever answers there is no Lightdash, or something in front of it. */
  | 'not-lightdash'
  /** An answer that cannot be read. */
  | 'malformed';

export interface LightdashErrorDetails {
  readonly status?: number | undefined;
  /** The server's own name for it, such as `NotFoundError`. */
  readonly apiName?: string | undefined;
  readonly retryAfterMs?: number | undefined;
}

/** Holds neither the request nor its headers, so it can be shown and logged as it is. */
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

/** Whether this Lightdash does not have the address at all: it is older or newer than we expect. */
export function isMissingEndpoint(error: unknown): boolean {
  return error instanceof LightdashError && error.kind === 'no-endpoint';
}
