/** The clients of this machine that share the gateway, and the variables that they bring. */

import { delimiter } from 'node:path';
import { isDeepStrictEqual } from 'node:util';

import type { Environment } from '@callsign/config';
import { Listeners, type ClientConnection, type Unsubscribe } from '@callsign/core';
import type { ClientSession } from '@callsign/wire';

import { pathIn } from '../config/child-environment.js';

/** What one client brings. */
type Brought = Pick<ClientConnection, 'env'> & Partial<Pick<ClientConnection, 'folder'>>;

export interface ClientsChange {
  readonly added?: ClientConnection;
  readonly removed?: ClientConnection;
  /** Whether the variables (other than `PATH`) or the folder for all clients have changed. */
  readonly isOther: boolean;
}

/**
 * The gateway itself has few variables. Servers get those of its clients: of several values the one of the client that
 * connected first counts for all clients that have none themselves.
 */
export class ConnectedClients implements Iterable<ClientConnection> {
  readonly #base: Environment;
  readonly #connected = new Set<ClientConnection>();
  readonly #sessions = new Map<ClientConnection, ClientSession>();
  readonly #listeners = new Listeners<ClientsChange>();
  /** What clients brought that have left. It counts only where no connected client has a value. */
  #departed: Brought = { env: {} };
  #env: Environment;

  /** `base`: the variables of the gateway itself. */
  constructor(base: Environment) {
    this.#base = base;
    this.#env = base;
  }

  get size(): number {
    return this.#connected.size;
  }

  [Symbol.iterator](): Iterator<ClientConnection> {
    return this.#connected.values();
  }

  add(connection: ClientConnection): void {
    if (this.#connected.has(connection)) return;
    this.#change(() => this.#connected.add(connection), { added: connection });
  }

  remove(connection: ClientConnection): void {
    if (!this.#connected.has(connection)) return;
    this.#change(
      () => {
        this.#connected.delete(connection);
        this.#sessions.delete(connection);
        const { env, folder } = connection;
        this.#departed = { env: { ...this.#departed.env, ...env }, folder };
      },
      { removed: connection },
    );
  }

  /** Called after each change. */
  onChange(listener: (change: ClientsChange) => void): Unsubscribe {
    return this.#listeners.add(listener);
  }

  /** The variables of the gateway and of all clients. */
  get env(): Environment {
    return this.#env;
  }

  /** The variables for one client: its own, then those of all. Every client has the same `PATH`. */
  envOf({ env }: ClientConnection): Environment {
    const { PATH: _, ...own } = env;
    return { ...this.#env, ...own };
  }

  /** Where servers run whose entries have relative paths: the folder of the first client. */
  get folder(): string | undefined {
    const [first] = this.#connected;
    return (first ?? this.#departed).folder;
  }

  /** Notes the session of a client. The result is called at its end. */
  readonly noteSession = (session: ClientSession): Unsubscribe => {
    const { connection } = session;
    if (!connection) return () => undefined;
    this.#sessions.set(connection, session);
    return () => {
      if (this.#sessions.get(connection) === session) this.#sessions.delete(connection);
    };
  };

  /** The session of a client, once it has completed the handshake. */
  sessionOf(connection: ClientConnection): ClientSession | undefined {
    const session = this.#sessions.get(connection);
    return session?.version === undefined ? undefined : session;
  }

  #change(change: () => void, who: Omit<ClientsChange, 'isOther'>): void {
    const before = this.#facts();
    change();
    this.#env = this.#together();
    const isOther = !isDeepStrictEqual(before, this.#facts());
    this.#listeners.tell({ ...who, isOther });
  }

  #facts(): unknown {
    return [{ ...this.#env, PATH: undefined }, this.folder];
  }

  #together(): Environment {
    const all = [...this.#connected, this.#departed];
    const paths = [...all.map(({ env }) => env['PATH']), pathIn(this.#base)];
    const folders = paths.flatMap((path) => path?.split(delimiter) ?? []);
    const PATH = [...new Set(folders.filter((folder) => folder !== ''))].join(delimiter);
    // The first client wins, so it comes last.
    const brought = all.toReversed().map(({ env }) => env);
    return Object.assign({}, this.#base, ...brought, PATH === '' ? {} : { PATH }) as Environment;
  }
}
