/** The caller: a client, and the person or program behind it. */

/** The two protocol eras: a handshake and a session, or stateless requests. */
export type Era = 'session' | 'stateless';

/** The person or program behind a client, as shown by a credential. */
export interface Principal {
  /** Unique. Shown in records. */
  readonly name: string;
  readonly roles: readonly string[];
  /** The set that the credential is bound to. It counts besides the sets of the connection. */
  readonly set?: string | undefined;
}

/** A client on this machine that shares the gateway with others: `callsign connect`. One object per connection. */
export interface ClientConnection {
  /** Unique in this process. */
  readonly id: string;
  /** The working folder of the client. */
  readonly folder: string;
  /** Of the client's environment: `PATH`, and the variables that the configuration names. */
  readonly env: Readonly<Record<string, string>>;
}

/** One object per session; one per request in the stateless era. */
export interface Caller {
  /** Unique among the callers that are connected at the same time. */
  readonly id: string;
  readonly era: Era;
  readonly client: { readonly name: string; readonly version: string };
  /** The protocol version of its requests. */
  readonly version?: string | undefined;
  /** Missing over HTTP, and for a client with a gateway of its own. */
  readonly connection?: ClientConnection | undefined;
  /** Missing if the listener requires no credential. */
  readonly principal?: Principal | undefined;
  /** The sets of the connection: of its address, or of a flag. Default: none. */
  readonly sets?: readonly string[] | undefined;
  /** The client's declared capabilities, as JSON text. */
  readonly capabilities: string;
  /** Whether the client can answer a question of this kind, such as `elicitation`. */
  can(capability: string): boolean;
}

/** The sets that narrow what a caller sees and uses. Each of them counts. */
export function setsOf({
  sets = [],
  principal,
}: Pick<Caller, 'sets' | 'principal'>): readonly string[] {
  const own = principal?.set;
  return own === undefined || sets.includes(own) ? sets : [...sets, own];
}
