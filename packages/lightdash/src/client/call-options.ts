/** Options of every call to the API. */

export interface CallOptions {
  /** Ends a request whose answer is not needed any more. */
  readonly signal?: AbortSignal | undefined;
}
