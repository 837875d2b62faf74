/** A client that people may let in: registered by the operator, by a metadata document, or by itself. */

export interface SignInClient {
  readonly id: string;
  /** What it calls itself. Anyone can choose any name. */
  readonly name: string;
  /** The host that publishes its metadata document. Missing: nothing proves where it belongs. */
  readonly host?: string;
  readonly redirectUris: readonly string[];
  /** Whether it can use refresh tokens. */
  readonly refreshes: boolean;
  /** Missing: it is a public client. */
  readonly secretHash?: string;
}

/** There is no such client, or it cannot be used. The message is for anyone. */
export class ClientProblem extends Error {
  override readonly name = 'ClientProblem';
}
