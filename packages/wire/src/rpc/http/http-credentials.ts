/**
 * Credentials for a server over HTTP that change over time, such as OAuth tokens. The auth package
 * implements them.
 */

/** Asked before every request, so `headers` must be quick while the credentials are valid. */
export interface HttpCredentials {
  /** Headers for a request that is sent now. Empty: there are no credentials. Must not reject. */
  headers(): Readonly<Record<string, string>> | Promise<Readonly<Record<string, string>>>;
  /**
   * The server refused these headers with 401. `challenge` is its `WWW-Authenticate`. Resolves true
   * if there are other headers to try. Must not reject.
   */
  renew(refused: Readonly<Record<string, string>>, challenge: string | undefined): Promise<boolean>;
  /**
   * The server refused these credentials with 403. Returns what a person can do if they lack scopes. Becomes the error.
   */
  scopeAdvice?(challenge: string): string | undefined;
  /** What a person can do if there are no credentials. Becomes part of the error. */
  readonly advice: string;
}
