/**
 * This instance in the network of instances: its key, its internal listener, its connections, and
 * its entry in the directory.
 */

import type { IncomingMessage, ServerResponse } from 'node:http';

import { type Announcement, type Instance, type Membership, Seal } from '@callsign/instances';

import { InstanceHomes } from '../homes/instance-homes.js';
import { createInstanceKey } from '../keys/instance-key.js';
import { fetchJson } from '../network/fetch-json.js';
import { PeerConnections } from '../network/peer-connections.js';
import { PeerListener } from '../network/peer-listener.js';

export interface InstanceNetworkOptions {
  /** The id of this instance. New for each start. */
  readonly id: string;
  /** Secrets that all instances share, the newest first. They encrypt the ids of sessions. */
  readonly secrets: readonly string[];
  /** The address of the internal listener. Port 0: the system chooses a port. */
  readonly host: string;
  readonly port: number;
  /** The host name for other instances. Unset: the host that it listens on. */
  readonly advertisedHost?: string | undefined;
}

/** What other instances need to connect to one: its address and its public key. */
export type InstanceAddress = Pick<Announcement, 'address' | 'key'>;

/** The answer to the question whether an instance runs. */
export interface Alive {
  /** Whether it can reach the directory. */
  readonly directory: boolean;
}

/** Handles a request of another instance. */
export type PeerHandler = (
  request: IncomingMessage,
  response: ServerResponse,
  from: Instance,
) => void;

/** The paths of servers that run on one instance and are called by others. */
export const SERVERS_PATH = '/servers/';
/** Other instances ask here whether this one runs. */
const ALIVE_PATH = '/alive';
/** An instance that does not answer in this time counts as not running. */
const ALIVE_MS = 1_000;

/** The order of calls is `listen`, `join`, `drain`, `close`. */
export class InstanceNetwork {
  readonly id: string;
  readonly connections: PeerConnections;
  readonly homes: InstanceHomes;
  /**
   * Handles requests of clients that another instance sent here. The listener for clients sets it.
   * Until then they get 503.
   */
  onClient: PeerHandler | undefined;
  /** Handles requests for servers that run here. */
  onServer: PeerHandler | undefined;
  readonly #options: InstanceNetworkOptions;
  readonly #key = createInstanceKey();
  readonly #seal: Seal;
  readonly #listener: PeerListener;
  #membership: Membership | undefined;

  constructor(options: InstanceNetworkOptions) {
    const { id, host, port, secrets } = options;
    this.id = id;
    this.#options = options;
    this.#seal = new Seal(secrets);
    this.connections = new PeerConnections({ self: id, key: this.#key });
    const find = (other: string): Promise<Instance | undefined> => this.find(other);
    this.homes = new InstanceHomes({
      self: id,
      seal: this.#seal,
      connections: this.connections,
      instances: () => this.#instances,
      find,
    });
    this.#listener = new PeerListener({
      host,
      port,
      key: this.#key,
      find,
      onRequest: (request, response, from) => this.#take(request, response, from),
    });
  }

  /** Opens the internal listener. The result is announced in the directory. */
  async listen(): Promise<InstanceAddress> {
    const { host, advertisedHost = host } = this.#options;
    const port = await this.#listener.listen();
    const shown = advertisedHost.includes(':') ? `[${advertisedHost}]` : advertisedHost;
    return { address: `https://${shown}:${port}`, key: this.#key.publicKey };
  }

  /** To be called when this instance is in the directory. From now on it finds the others. */
  join(membership: Membership): void {
    this.#membership = membership;
    membership.watch(() => {
      this.connections.keep(new Set(this.#instances.map((instance) => instance.id)));
    });
  }

  /** An instance of the directory; `undefined` if it does not run, or has no internal listener. */
  async find(id: string): Promise<Instance | undefined> {
    const found = await this.#membership?.find(id);
    return found && found.key !== '' ? found : undefined;
  }

  /** Why this instance should get no new work; `undefined` if it may. */
  notReady(): string | undefined {
    if (!this.#membership) return 'it is not in the directory yet';
    return this.#membership.isReachable ? undefined : 'the directory cannot be reached';
  }

  /** Asks another instance whether it runs; `undefined` if it does not answer. */
  async alive(instance: Instance): Promise<Alive | undefined> {
    const request = { method: 'GET', path: ALIVE_PATH, headers: {} };
    try {
      return (await fetchJson(this.connections.request(instance, request), ALIVE_MS)) as Alive;
    } catch {
      return undefined;
    }
  }

  /** True if most instances answer, this one included, and none of them can reach the directory. */
  async isCutForAll(): Promise<boolean> {
    const others = this.#instances.filter(({ id }) => id !== this.id);
    const answers = (await Promise.all(others.map((other) => this.alive(other)))).filter(
      (answer) => answer !== undefined,
    );
    return isCut(answers, others.length);
  }

  /**
   * Replaces the shared secrets, the newest first. Ids of a secret that is left out become invalid.
   */
  replaceSecrets(secrets: readonly string[]): void {
    this.#seal.replace(secrets);
  }

  /** Tells the others that this instance accepts no new sessions. */
  async drain(): Promise<void> {
    await this.#membership?.change({ state: 'draining' });
  }

  /** Ends all connections. Leave the directory first, so that no instance sends more requests. */
  async close(): Promise<void> {
    this.connections.close();
    await this.#listener.close();
  }

  /** Instances that can be reached. One without an internal listener has no key. */
  get #instances(): readonly Instance[] {
    return (this.#membership?.instances ?? []).filter(({ key }) => key !== '');
  }

  #take(request: IncomingMessage, response: ServerResponse, from: Instance): void {
    if (request.url === ALIVE_PATH) {
      const alive: Alive = { directory: this.#membership?.isReachable === true };
      return void response.end(JSON.stringify(alive));
    }
    const isServer = request.url?.startsWith(SERVERS_PATH) === true;
    const handler = isServer ? this.onServer : this.onClient;
    if (handler) return handler(request, response, from);
    request.resume();
    response.writeHead(503).end();
  }
}

/**
 * True if most instances answered and none of them can reach the directory. If fewer answered, this
 * instance may be the one that is cut off.
 */
export function isCut(answers: readonly Alive[], others: number): boolean {
  const isMost = (answers.length + 1) * 2 > others + 1;
  return isMost && answers.every(({ directory }) => !directory);
}
