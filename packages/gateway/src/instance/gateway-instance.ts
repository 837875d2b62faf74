/**
 * This gateway as one of many instances: their network, and the servers that run on only one of
 * them.
 */

import type { Clock, Log } from '@callsign/core';
import type { Leases, Membership, News } from '@callsign/instances';
import {
  type CallerCheck,
  type InstanceAddress,
  InstanceNetwork,
  InstanceServers,
  ServerPlaces,
  ShownCredentials,
} from '@callsign/instances/peers';
import type { Authenticate, HttpListener } from '@callsign/wire';
import type { Implementation } from '@callsign/wire/rpc';

import type { InstanceSettings } from '../config/instance-settings.js';

/** The stores that the instances share. */
export interface InstanceStores {
  /** The id of this instance. New at every start. */
  readonly instance: string;
  readonly leases: Leases;
  readonly news: News;
}

/** Needed only if `storage` is set. */
export interface GatewayInstanceOptions {
  /** The settings with their variables replaced. */
  readonly settings: InstanceSettings;
  readonly storage: InstanceStores;
  readonly self: Implementation;
  readonly clock: Clock;
  readonly log: Log;
  /** How long the lease of a server lasts. Unset: the default. */
  readonly leaseMs?: number;
}

/** Created before the gateway. Then `listen` is called, and `join` after that. */
export class GatewayInstance {
  readonly #options: GatewayInstanceOptions;
  readonly #network: InstanceNetwork;
  readonly #credentials = new ShownCredentials();
  #places: ServerPlaces | undefined;
  #servers: InstanceServers | undefined;

  constructor(options: GatewayInstanceOptions) {
    this.#options = options;
    const { settings, storage, log } = options;
    this.#network = new InstanceNetwork({
      id: storage.instance,
      secrets: settings.secrets,
      host: settings.host,
      port: settings.port,
      advertisedHost: settings.advertise,
      onStranger: ({ id }) =>
        log(
          'warning',
          `Instance ${id} has different "instances.secrets". Sessions that begin there are lost here. Give all instances the same secrets.`,
        ),
    });
  }

  /** Where sessions live, so that a request reaches the instance that has its session. */
  get homes(): InstanceNetwork['homes'] {
    return this.#network.homes;
  }

  /** Why this instance takes no new work; `undefined` if it does. */
  notReady(): string | undefined {
    return this.#network.notReady();
  }

  /** Opens the internal listener. Returns the entry of this instance for the directory. */
  listen(): Promise<InstanceAddress> {
    return this.#network.listen();
  }

  /** Called when this instance is in the directory, so that it can find the others. */
  join(membership: Membership): void {
    this.#network.join(membership);
  }

  /**
   * Creates the part for servers that run on one instance. Must be called once, before `listen`.
   */
  servers(callers: CallerCheck): InstanceServers {
    const { storage, self, clock, log, leaseMs } = this.#options;
    const network = this.#network;
    this.#places = new ServerPlaces({
      self: network.id,
      leases: storage.leases,
      news: storage.news,
      clock,
      log,
      find: (id) => network.find(id),
      reaches: async (instance) => (await network.alive(instance)) !== undefined,
      isCutForAll: () => network.isCutForAll(),
      ...(leaseMs === undefined ? {} : { leaseMs }),
    });
    this.#servers = new InstanceServers({
      places: this.#places,
      self,
      agent: (key, onBroken) => network.connections.agent(key, onBroken),
      credentialOf: (principal) => this.#credentials.of(principal),
      callers,
    });
    network.onServer = (request, response) => this.#servers!.take(request, response);
    network.onCut = () => this.#places!.pause();
    return this.#servers;
  }

  /** Remembers the credentials of callers, for calls that run on another instance. */
  authenticating(authenticate: Authenticate): Authenticate {
    return this.#credentials.remembering(authenticate);
  }

  /** Requests of clients that other instances send here go to this listener. */
  serve(listener: HttpListener): void {
    this.#network.onClient = (request, response) => listener.take(request, response, true);
  }

  /** Calls of other instances that have no answer yet. */
  get callsUnderWay(): number {
    return this.#servers?.callsUnderWay ?? 0;
  }

  /** Replaces the secrets, the newest first. */
  replaceSecrets(secrets: readonly string[]): void {
    this.#network.replaceSecrets(secrets);
  }

  /** Tells the others that this instance takes no new sessions. */
  async drain(): Promise<void> {
    await this.#network.drain().catch(() => undefined);
  }

  /** Whether another instance can take over what this one leaves. */
  hasSuccessor(): boolean {
    return this.#network.hasSuccessor();
  }

  /** Tells the others that this instance ends. Resolves when none of them will send anything here any more. */
  leave(): Promise<void> {
    return this.#network.leave();
  }

  /** Releases all leases and ends all connections. This instance must have left the directory before. */
  async close(): Promise<void> {
    await this.#places?.close();
    await this.#network.close();
  }
}
