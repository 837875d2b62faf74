/** A served source: how it is served, and the state that its listeners and clients share. */

import type {
  Call,
  Caller,
  ClientConnection,
  Principal,
  Question,
  Reply,
  Source,
  Unsubscribe,
} from '@callsign/core';
import type { AnnouncedClient } from '@callsign/naming';

import { Tasks } from '../extensions/tasks/tasks.js';
import type { Implementation } from '../rpc/message/protocol.js';
import { EnvelopeReader } from './envelope.js';
import type { SessionRouting } from './session-routing.js';
import { ClientLogLevels } from './log-level.js';

/** The session of a client, for questions outside of any call. */
export interface ClientSession extends Caller {
  /** The agreed protocol version. Missing before the handshake. */
  readonly version: string | undefined;
  /** Whether the client may see anything of a server. */
  seesServer(server: string): boolean;
  ask(question: Question): Promise<Reply>;
}

/** How a source is served. */
export interface ServeOptions {
  readonly self: Implementation;
  /** The view for a client, by its name and its principal. Default: the source itself. */
  readonly viewFor?: (
    client: AnnouncedClient | undefined,
    principal?: Principal,
    connection?: ClientConnection,
  ) => Source;
  /** The tool sets that `viewFor` is narrowed to. Default: none. */
  readonly sets?: Caller['sets'];
  /**
   * Resolves when the instructions for a client are known, or when it has waited long enough;
   * `undefined`: they are. `initialize` waits.
   */
  readonly whenPlaced?: (client: AnnouncedClient | undefined) => Promise<void> | undefined;
  /** Resolves when a client's lists are complete, or when it has waited long enough. */
  readonly whenListed?: (client: AnnouncedClient | undefined) => Promise<void>;
  /** Called after a list was sent. */
  readonly onListed?: () => void;
  /** Resolves after the first start of every server; `undefined` from then on. */
  readonly whenStarted?: () => Promise<void> | undefined;
  /** Whether every server has started or failed, so that the lists are complete. */
  readonly isSettled?: () => boolean;
  /** Whether it is known what each server offers. */
  readonly isKnown?: () => boolean;
  /** Resolves when the lists are complete. A call to an unknown name waits for it. */
  readonly whenSettled?: () => Promise<void>;
  /** The caller of a message with these parameters, if the client is not the caller itself. */
  readonly callerOf?: (client: Caller, params: string) => Caller | undefined;
  /** Called for a call to an unknown or hidden name, before it is refused. */
  readonly onUnknown?: (call: Call) => void;
  /** The subscriptions of all clients. Default: those of this object's clients. */
  readonly watch?: ResourceWatch;
  /** Called with each new session. The result is called at its end. */
  readonly onSession?: (session: ClientSession) => Unsubscribe;
  /** The tasks that calls have become. Default: a table in memory. */
  readonly tasks?: Tasks;
  /** What a principal waits for besides. */
  readonly forPrincipal?: (principal: Principal) => PrincipalWaits | undefined;
  /** Set if there are several instances. */
  readonly routing?: SessionRouting | undefined;
}

/** What the lists of one principal wait for. */
export type PrincipalWaits = Required<
  Pick<ServeOptions, 'isKnown' | 'isSettled' | 'whenListed' | 'whenSettled'>
>;

type Unset =
  | 'forPrincipal'
  | 'routing'
  | 'callerOf'
  | 'onUnknown'
  | 'onListed'
  | 'onSession'
  | 'sets';

/** A served source: the state that its listeners and clients share. */
export interface ServedSource extends Required<Omit<ServeOptions, Unset>> {
  readonly source: Source;
  readonly sets?: ServeOptions['sets'];
  readonly callerOf?: ServeOptions['callerOf'];
  readonly onUnknown?: ServeOptions['onUnknown'];
  readonly onListed?: ServeOptions['onListed'];
  readonly onSession?: ServeOptions['onSession'];
  readonly forPrincipal?: ServeOptions['forPrincipal'];
  readonly routing?: ServeOptions['routing'];
  /** Set by a listener that requires credentials. */
  readonly principal?: Principal | undefined;
  /** Set by a listener with many clients of this machine. */
  readonly connection?: ClientConnection | undefined;
  readonly logLevels: ClientLogLevels;
  readonly envelopes: EnvelopeReader;
}

/** One for each source: its listeners share subscriptions, log levels and tasks. */
export function createServedSource(source: Source, options: ServeOptions): ServedSource {
  const tasks = options.tasks ?? new Tasks();
  tasks.watch(source);
  return {
    viewFor: () => source,
    whenPlaced: () => undefined,
    whenListed: () => LISTED,
    whenStarted: () => undefined,
    isSettled: () => true,
    isKnown: () => true,
    whenSettled: () => LISTED,
    watch: new ResourceWatch(),
    ...options,
    tasks,
    source,
    logLevels: new ClientLogLevels(source),
    envelopes: new EnvelopeReader(),
  };
}

/** What a path of its own shows instead: the names of a profile, or a set. */
export type ServedPart = Pick<ServedSource, 'sets' | 'viewFor'>;

/** A served source for one principal. */
export function servedFor(
  served: ServedSource,
  principal: Principal | undefined,
  part?: ServedPart,
): ServedSource {
  if (!principal && !part) return served;
  const waits = principal && served.forPrincipal?.(principal);
  return { ...served, ...(principal && { principal }), ...waits, ...part };
}

/** For options that are unset: there is nothing to wait for. */
const LISTED: Promise<void> = Promise.resolve();

/** Subscriptions of all clients. A server hears of each new one, and when the last one ends. */
export class ResourceWatch {
  readonly #watchers = new Map<string, Set<object>>();

  /** `identity` is the canonical name of the resource. */
  add(identity: string, watcher: object): void {
    this.#watchers.set(identity, (this.#watchers.get(identity) ?? new Set()).add(watcher));
  }

  /** Returns true if it was the last subscriber, so the server may be told to stop. */
  remove(identity: string, watcher: object): boolean {
    const those = this.#watchers.get(identity);
    if (!those?.delete(watcher) || those.size > 0) return false;
    this.#watchers.delete(identity);
    return true;
  }

  /** Whether any client watches a resource of a server. */
  hasServer(server: string): boolean {
    return [...this.#watchers.keys()].some((identity) => identity.startsWith(`${server}:`));
  }

  hasOthers(identity: string, watcher: object): boolean {
    const those = this.#watchers.get(identity);
    return those !== undefined && [...those].some((each) => each !== watcher);
  }
}
