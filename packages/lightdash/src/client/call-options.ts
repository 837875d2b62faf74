/** Options of every call to the API. */

export interface CallOptions {
  /** Cancels the request. */
  readonly signal?: AbortSignal | undefined;
}
