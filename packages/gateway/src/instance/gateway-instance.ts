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
  ServerOwners,
} from '@callsign/instances/peers';
import type { HttpListener } from '@callsign/wire';
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
  /** How long the lease of a server lasts. Default: the default. */
  readonly leaseMs?: number;
}

/** Created before the gateway. Then `listen` is called, and `join` after that. */
export class GatewayInstance {
  readonly #options: GatewayInstanceOptions;
  readonly #network: InstanceNetwork;
  #places: ServerOwners | undefined;
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
      onUnproved: (id, address) =>
        log(
          'warning',
          `Instance ${id} (${address}) does not prove that it has the same "instances.secrets", so it is refused and gets nothing. If it is yours, give it the same secrets and the same version. If not, someone can write to the database.`,
        ),
    });
  }

  /** Where sessions live, so that a request reaches the instance that has its session. */
  get routing(): InstanceNetwork['routing'] {
    return this.#network.routing;
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
    this.#places = new ServerOwners({
      self: network.id,
      leases: storage.leases,
      news: storage.news,
      clock,
      log,
      find: (id) => network.find(id),
      isUnproved: (id) => network.unproved.has(id),
      reaches: (instance) => network.isAlive(instance),
      isCutForAll: () => network.isCutForAll(),
      ...(leaseMs === undefined ? {} : { leaseMs }),
    });
    this.#servers = new InstanceServers({
      places: this.#places,
      self,
      client: (instance, onBroken) => network.connections.client(instance, onBroken),
      seal: network.callers,
      callers,
    });
    network.onServer = (request, response) => this.#servers!.take(request, response);
    network.onCut = () => this.#places!.pause();
    return this.#servers;
  }

  /** Requests of clients that other instances send here go to this listener. */
  serve(listener: HttpListener): void {
    this.#network.onClient = (request, response, relayed) =>
      listener.take(request, response, relayed);
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
