/** Who calls: a client, and the person or program behind it. */

/** The two forms of the protocol: with a handshake and a session, or with everything in each request. */
export type Era = 'session' | 'stateless';

/** The person or program behind a client, as far as a credential has shown. */
export interface Principal {
  /** Unique; records show it. */
  readonly name: string;
  readonly roles: readonly string[];
}

/** One object for the life of a session; one per request where there are no sessions. */
export interface Caller {
  /** Unlike that of any other caller at the same time. */
  readonly id: string;
  readonly era: Era;
  readonly client: { readonly name: string; readonly version: string };
  /** Absent where no credential is asked for. */
  readonly principal?: Principal | undefined;
  /** What the client declared that it can do, as JSON text. */
  readonly capabilities: string;
  /** Whether the client can answer a question of this kind, such as `elicitation`. */
  can(capability: string): boolean;
}
