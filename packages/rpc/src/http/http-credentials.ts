/** Credentials for a server over HTTP that change over time. */

export interface HttpCredentials {
  /** Headers for a request that is sent now. Empty: there are no credentials. Never rejects. */
  headers(): Readonly<Record<string, string>> | Promise<Readonly<Record<string, string>>>;
  /**
   * The server refused these headers (401) and may say in `challenge` what it wants. Resolves true if there are
   * others to try. Never rejects.
   */
  renew(refused: Readonly<Record<string, string>>, challenge: string | undefined): Promise<boolean>;
  /** What a person can do if there are no credentials. */
  readonly advice: string;
}
