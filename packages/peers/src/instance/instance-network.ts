/** This instance among the others: its key, its entry in the directory, its internal listener, the way to others. */

import { randomUUID } from 'node:crypto';
import type { IncomingMessage, ServerResponse } from 'node:http';

import type { Clock, Log } from '@callsign/core';
import { Membership, type Instance, type InstanceDirectory } from '@callsign/instances';

import { InstanceHomes } from '../homes/instance-homes.js';
import { createInstanceKey } from '../keys/instance-key.js';
import { Seal } from '../keys/seal.js';
import { fetchJson } from '../network/fetch-json.js';
import { PeerConnections } from '../network/peer-connections.js';
import { PeerListener } from '../network/peer-listener.js';

export interface InstanceNetworkOptions {
  readonly directory: InstanceDirectory;
  readonly clock: Clock;
  /** Secrets that all instances share, the newest first. They seal the ids of sessions. */
  readonly secrets: readonly string[];
  /** Where the internal listener listens. Port 0: the system chooses it. */
  readonly host: string;
  readonly port: number;
  /** The host by which other instances reach it. Unset: the one that it listens on. */
  readonly advertisedHost?: string | undefined;
  /** Hash of the configuration. */
  readonly configuration: string;
  readonly version: string;
  readonly log: Log;
  /** How often the entry in the directory is renewed. */
  readonly everyMs?: number;
}

/** What an instance says when it is asked whether it runs. */
interface Alive {
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
/** Answers whether the instance runs and can reach the directory. */
const ALIVE_PATH = '/alive';
const ALIVE_MS = 1_000;

export class InstanceNetwork {
  /** New for each start. */
  readonly id: string = randomUUID();
  readonly connections: PeerConnections;
  readonly homes: InstanceHomes;
  /** Handles requests of clients that another instance sent here. Set by the listener for clients. */
  onClient: PeerHandler | undefined;
  /** Handles requests for servers that run here. */
  onServer: PeerHandler | undefined;
  readonly #options: InstanceNetworkOptions;
  readonly #key = createInstanceKey();
  readonly #seal: Seal;
  readonly #listener: PeerListener;
  #membership: Membership | undefined;

  constructor(options: InstanceNetworkOptions) {
    const { id } = this;
    this.#options = options;
    this.#seal = new Seal(options.secrets);
    this.connections = new PeerConnections({ self: id, key: this.#key });
    const find = (other: string): Promise<Instance | undefined> => this.membership.find(other);
    this.homes = new InstanceHomes({
      self: id,
      seal: this.#seal,
      connections: this.connections,
      instances: () => this.membership.instances,
      find,
    });
    this.#listener = new PeerListener({
      host: options.host,
      port: options.port,
      key: this.#key,
      find,
      onRequest: (request, response, from) => this.#take(request, response, from),
    });
  }

  /** The other instances. There once the network is open. */
  get membership(): Membership {
    if (!this.#membership) throw new Error('The network is not open.');
    return this.#membership;
  }

  /** Opens the internal listener and enters this instance in the directory. */
  async open(): Promise<void> {
    const { directory, clock, host, advertisedHost = host, log, everyMs } = this.#options;
    const { configuration, version } = this.#options;
    const port = await this.#listener.listen();
    const shown = advertisedHost.includes(':') ? `[${advertisedHost}]` : advertisedHost;
    this.#membership = new Membership({
      directory,
      clock,
      self: {
        id: this.id,
        address: `https://${shown}:${port}`,
        key: this.#key.publicKey,
        configuration,
        version,
        state: 'ready',
      },
      ...(everyMs === undefined ? {} : { everyMs }),
      onFault: (error) => {
        if (error === undefined) log('info', 'The directory of instances can be reached again.');
        else log('warning', `The directory of instances cannot be reached: ${String(error)}`);
      },
    });
    this.#membership.watch(() => {
      const ids = this.membership.instances.map((instance) => instance.id);
      this.connections.keep(new Set(ids));
    });
    await this.#membership.open();
  }

  /** Whether another instance answers, and whether it can reach the directory; `undefined` if it does not. */
  async alive(instance: Instance): Promise<Alive | undefined> {
    const request = { method: 'GET', path: ALIVE_PATH, headers: {} };
    try {
      return (await fetchJson(this.connections.request(instance, request), ALIVE_MS)) as Alive;
    } catch {
      return undefined;
    }
  }

  /** Whether other instances are cut off from the directory too, as far as they answer. */
  async isCutForAll(): Promise<boolean> {
    const others = this.membership.instances.filter(({ id }) => id !== this.id);
    if (others.length === 0) return true;
    const answers = (await Promise.all(others.map((other) => this.alive(other)))).filter(
      (answer) => answer !== undefined,
    );
    // Without an answer it may be this instance that is cut off.
    return answers.length > 0 && answers.every(({ directory }) => !directory);
  }

  /** Takes other shared secrets, the newest first. */
  replaceSecrets(secrets: readonly string[]): void {
    this.#seal.replace(secrets);
  }

  /** Tells the others that this instance takes no new sessions. */
  async drain(): Promise<void> {
    await this.membership.change({ state: 'draining' });
  }

  /** Leaves the directory, then ends all connections. */
  async close(): Promise<void> {
    await this.#membership?.close();
    this.connections.close();
    await this.#listener.close();
  }

  #take(request: IncomingMessage, response: ServerResponse, from: Instance): void {
    if (request.url === ALIVE_PATH) {
      const alive: Alive = { directory: this.membership.isReachable };
      return void response.end(JSON.stringify(alive));
    }
    const isServer = request.url?.startsWith(SERVERS_PATH) === true;
    const handler = isServer ? this.onServer : this.onClient;
    if (handler) return handler(request, response, from);
    request.resume();
    response.writeHead(503).end();
  }
}
