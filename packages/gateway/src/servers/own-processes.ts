/**
 * The processes that not all clients share. Most servers have one process for all clients. A client gets another one if
 * its variables or its folder make another server of the entry, or if the server keeps something for each client.
 */

import type { Call, ClientConnection, Question, Reply } from '@callsign/core';
import type { CachedOffer } from '@callsign/wire';

import type { ConnectedClients } from '../clients/connected-clients.js';
import type { GatewayConfig } from '../config/gateway-config.js';
import { processKey, type ServerConfig } from '../config/server-config.js';
import { inFolder, serverFor } from './client-server.js';
import { knownState } from './known-state.js';
import type { ServerProcess } from './server-process.js';
import type { ProcessStatus } from './server-status.js';

/** How a process for some clients is opened. */
export interface OwnOptions {
  /** The client that it is for, if it is for one. */
  readonly only: ClientConnection | undefined;
  /** The client whose variables it gets. */
  readonly like: ClientConnection;
  /** What it probably offers. */
  readonly cached: CachedOffer | undefined;
}

export interface OwnProcessesOptions {
  readonly clients: ConnectedClients;
  readonly config: () => GatewayConfig;
  /** The process of a server that all other clients share. */
  readonly shared: (server: string) => ServerProcess | undefined;
  readonly open: (config: ServerConfig, own: OwnOptions) => ServerProcess;
  /** Ends a process when its calls are done. */
  readonly leave: (running: ServerProcess) => void;
  /** Puts a new process into the place of the shared one, which this class takes over. */
  readonly renew: (server: string) => void;
  /** The server asks for roots. Stored with its lists. */
  readonly remember: (running: ServerProcess) => void;
  /** Clients may use other processes now. */
  readonly onPlaces: () => void;
}

/** The process that a client uses. */
interface Place {
  /** Clients with the same key use the same process. */
  readonly key: string;
  readonly config: ServerConfig;
  /** The entry for this client. If it changes, the process is replaced. */
  readonly basis: string;
  readonly reason: string;
  /** Set if no other client may use it. */
  readonly only?: ClientConnection;
}

interface OwnProcess extends Pick<Place, 'basis' | 'reason'> {
  readonly running: ServerProcess;
  readonly clients: Set<ClientConnection>;
}

/** A process of the client's own, or why it cannot have one. */
export type OwnServer = { readonly running: ServerProcess } | { readonly fault: string };

export class OwnProcesses {
  readonly #options: OwnProcessesOptions;
  /** By server, then by the key of their place. */
  readonly #own = new Map<string, Map<string, OwnProcess>>();
  /** Servers that have asked for roots. */
  readonly #asksRoots = new Set<string>();

  constructor(options: OwnProcessesOptions) {
    this.#options = options;
  }

  /**
   * The servers that a client does not share with all others. Their processes are opened here, and start with the first
   * call.
   */
  of(connection: ClientConnection): ReadonlyMap<string, OwnServer> {
    const found = new Map<string, OwnServer>();
    for (const server of this.#options.config().servers) {
      const place = this.#place(server, connection);
      if (place && 'fault' in place) found.set(server.key, place);
      else if (place) found.set(server.key, this.#use(server.key, place, connection));
    }
    for (const [server, processes] of this.#own) {
      const used = found.get(server);
      for (const [key, own] of processes) {
        const isUsed = used && 'running' in used && used.running === own.running;
        if (!isUsed && own.clients.delete(connection)) this.#endUnused(server, key);
      }
    }
    return found;
  }

  /** A client has disconnected. Processes that no other client uses end. */
  release(connection: ClientConnection): void {
    for (const [server, processes] of this.#own) {
      for (const [key, { clients }] of processes)
        if (clients.delete(connection)) this.#endUnused(server, key);
    }
  }

  /** Ends the processes of a server. Clients get new ones when their places are looked up again. */
  dismiss(server: string): void {
    for (const { running } of this.#own.get(server)?.values() ?? []) this.#options.leave(running);
    this.#own.delete(server);
  }

  all(server?: string): readonly ServerProcess[] {
    const chosen = server === undefined ? [...this.#own.values()] : [this.#own.get(server)];
    return chosen.flatMap((processes) =>
      Array.from(processes?.values() ?? [], ({ running }) => running),
    );
  }

  /** Why no two clients share a process of this server. `undefined`: they do. */
  whyOwn(server: ServerConfig): string | undefined {
    const { accounts, share } = server.settings;
    if (accounts) return undefined;
    if (share === 'client') return 'own: "share" is "client"';
    if (share === 'person') return undefined;
    const keeps = knownState(server);
    if (keeps !== undefined) return `own: it keeps ${keeps}`;
    return this.#asksRoots.has(server.key) ? 'own: it asked for roots' : undefined;
  }

  /** It is known from an earlier run that a server asks for roots. */
  noteRoots(server: string): void {
    this.#asksRoots.add(server);
  }

  hasAskedRoots(server: string): boolean {
    return this.#asksRoots.has(server);
  }

  /**
   * A server asks for the roots of its client. From now on each client has its own process, because the roots decide
   * which files it sees. The client that is asked keeps this one. `calls`: those that may have caused the question.
   */
  askedRoots(running: ServerProcess, calls: readonly Call[]): void {
    const { key, settings } = running.config;
    if (settings.share !== 'auto' || this.whyOwn(running.config) !== undefined) return;
    const keeper = this.#keeper(running, calls);
    const isAsked = calls.some(({ caller }) => caller.connection) || keeper !== undefined;
    const isShared = this.#options.shared(key) === running;
    const processes = this.#processesOf(key);
    const before = [...processes].find(([, own]) => own.running === running);
    this.#asksRoots.add(key);
    this.#options.remember(running);
    if (before) processes.delete(before[0]);
    if (keeper) {
      const { basis } = before?.[1] ?? { basis: this.#basisFor(running.config.key, keeper) };
      const reason = 'own: it asked for roots';
      processes.set(placeOf(keeper), { running, basis, reason, clients: new Set([keeper]) });
    } else if (isAsked || !isShared) this.#options.leave(running);
    if (isShared && isAsked) this.#options.renew(key);
    this.#options.onPlaces();
  }

  /** Answers a question that belongs to no call: if one client that uses the process can answer, it is asked. */
  answer(running: ServerProcess, question: Question): Promise<Reply> | undefined {
    const [capability = ''] = question.method.split('/');
    const able = this.#able(running, capability);
    if (able.length === 1) return this.#options.clients.sessionOf(able[0]!)!.ask(question);
    const isRoots = question.method === 'roots/list';
    return isRoots ? Promise.resolve({ ok: true, json: '{"roots":[]}' }) : undefined;
  }

  /** `shared`: the process that all other clients use. */
  status(server: ServerConfig, shared: ServerProcess): ProcessStatus[] {
    const own = [...(this.#own.get(server.key)?.values() ?? [])];
    const others = this.#usersOf(shared);
    const isForLists = this.whyOwn(server) !== undefined;
    const reason = isForLists
      ? 'for lists only'
      : `shared by all ${own.length > 0 ? 'other ' : ''}clients`;
    const state = shared.upstream.state.is;
    const isShown = !isForLists || others.length > 0 || own.length === 0 || state !== 'asleep';
    return [
      ...(isShown ? [{ state, clients: others.length, reason, ...this.#namesOf(others) }] : []),
      ...own.map(({ running, clients, reason: why }) => ({
        state: running.upstream.state.is,
        clients: clients.size,
        reason: why,
        ...this.#namesOf([...clients]),
      })),
    ];
  }

  /** As they call themselves. Those that have not done so yet are left out. */
  #namesOf(connections: readonly ClientConnection[]): Pick<ProcessStatus, 'names'> {
    const { clients } = this.#options;
    const names = connections.flatMap((each) => clients.sessionOf(each)?.client?.name ?? []);
    return names.length === 0 ? {} : { names };
  }

  /** `undefined`: the client uses the process that is shared. */
  #place(
    server: ServerConfig,
    connection: ClientConnection,
  ): Place | { readonly fault: string } | undefined {
    // Its processes belong to accounts.
    if (server.settings.accounts) return undefined;
    const { clients, config, shared } = this.#options;
    const own = serverFor(server, connection, clients, config().file);
    if ('fault' in own) return own;
    const basis = processKey(own.config);
    const why = this.whyOwn(server);
    if (why !== undefined) {
      const inside = inFolder(own.config, connection.folder);
      const key = placeOf(connection);
      return { key, config: inside, basis, reason: why, only: connection };
    }
    const used = shared(server.key);
    if (!used || processKey(used.config) === basis) return undefined;
    const differing = own.differing.join(', ');
    const verb = own.differing.length === 1 ? 'differs' : 'differ';
    const reason =
      differing !== ''
        ? `own: ${differing} ${verb}`
        : cwdOf(used.config) === cwdOf(own.config)
          ? 'own: a variable has changed'
          : 'own folder';
    return { key: basis, config: own.config, basis, reason };
  }

  #use(server: string, place: Place, connection: ClientConnection): OwnServer {
    const { open, leave, shared } = this.#options;
    const processes = this.#processesOf(server);
    const known = processes.get(place.key);
    const { limits } = shared(server) ?? {};
    if (known?.basis === place.basis && (!limits || sameLimits(known.running, limits))) {
      // Settings that need no restart may have changed.
      known.running.config = { ...known.running.config, settings: place.config.settings };
      known.clients.add(connection);
      return known;
    }
    if (known) leave(known.running);
    const cached = withoutData(shared(server)?.upstream.cachedOffer);
    const running = open(place.config, { only: place.only, like: connection, cached });
    const { basis, reason } = place;
    const clients = new Set([...(known?.clients ?? []), connection]);
    const made = { running, clients, basis, reason };
    processes.set(place.key, made);
    return made;
  }

  #endUnused(server: string, key: string): void {
    const processes = this.#own.get(server);
    const own = processes?.get(key);
    if (!own || own.clients.size > 0) return;
    processes!.delete(key);
    this.#options.leave(own.running);
  }

  #processesOf(server: string): Map<string, OwnProcess> {
    const processes = this.#own.get(server) ?? new Map<string, OwnProcess>();
    this.#own.set(server, processes);
    return processes;
  }

  /** The clients that use a process. */
  #usersOf(running: ServerProcess): readonly ClientConnection[] {
    const { key } = running.config;
    const processes = [...(this.#own.get(key)?.values() ?? [])];
    const own = processes.find((each) => each.running === running);
    if (own) return [...own.clients];
    if (this.#options.shared(key) !== running) return [];
    const others = new Set(processes.flatMap(({ clients }) => [...clients]));
    return [...this.#options.clients].filter((connection) => !others.has(connection));
  }

  /** The users of a process that can answer a kind of question. */
  #able(running: ServerProcess, capability: string): readonly ClientConnection[] {
    return this.#usersOf(running).filter((connection) => {
      const session = this.#options.clients.sessionOf(connection);
      return session?.can(capability) === true && session.seesServer(running.config.key);
    });
  }

  /** The only client whose calls may have caused a question; without calls, the first that can answer it. */
  #keeper(running: ServerProcess, calls: readonly Call[]): ClientConnection | undefined {
    const asking = new Set(calls.map(({ caller }) => caller.connection));
    if (asking.size > 1) return undefined;
    return calls.length > 0 ? calls[0]!.caller.connection : this.#able(running, 'roots')[0];
  }

  #basisFor(server: string, connection: ClientConnection): string {
    const { clients, config } = this.#options;
    const found = config().servers.find(({ key }) => key === server);
    const own = found && serverFor(found, connection, clients, config().file);
    return own && 'config' in own ? processKey(own.config) : '';
  }
}

/** The key of the place that no other client uses. */
function placeOf({ id }: ClientConnection): string {
  return `client ${id}`;
}

function cwdOf(server: ServerConfig): string | undefined {
  return server.transport === 'stdio' ? server.cwd : undefined;
}

function sameLimits({ limits }: ServerProcess, others: ServerProcess['limits']): boolean {
  return JSON.stringify(limits) === JSON.stringify(others);
}

/** Tools are the same for all clients until the process says otherwise. Resources are data of another client. */
export function withoutData(offer: CachedOffer | undefined): CachedOffer | undefined {
  return offer && { ...offer, lists: { ...offer.lists, resource: [] } };
}
