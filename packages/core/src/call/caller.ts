/** The caller: a client, and the person or program behind it. */

/** The two protocol eras: a handshake and a session, or stateless requests. */
export type Era = 'session' | 'stateless';

/** The person or program behind a client, as shown by a credential. */
export interface Principal {
  /** Unique. Shown in records. */
  readonly name: string;
  readonly roles: readonly string[];
}

/** One object per session; one per request in the stateless era. */
export interface Caller {
  /** Unique among the callers that are connected at the same time. */
  readonly id: string;
  readonly era: Era;
  readonly client: { readonly name: string; readonly version: string };
  /** Unset: the listener requires no credential. */
  readonly principal?: Principal | undefined;
  /** The client's declared capabilities, as JSON text. */
  readonly capabilities: string;
  /** Whether the client can answer a question of this kind, such as `elicitation`. */
  can(capability: string): boolean;
}
