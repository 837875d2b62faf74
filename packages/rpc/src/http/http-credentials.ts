/** What a server over HTTP knows us by, where that changes in the course of time. */

export interface HttpCredentials {
  /** Headers for a request that is sent now; none if there is nothing to show. Never rejects. */
  headers(): Readonly<Record<string, string>> | Promise<Readonly<Record<string, string>>>;
  /**
   * The server did not take these headers (401), and may say in `challenge` what it wants. Resolves
   * true if there are others to try. Never rejects.
   */
  renew(refused: Readonly<Record<string, string>>, challenge: string | undefined): Promise<boolean>;
  /** What a person can do when there are none to be had. */
  readonly advice: string;
}
