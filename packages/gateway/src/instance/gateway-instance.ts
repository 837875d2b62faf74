/** This gateway as one of many instances: the network between them, and the servers that run on one of them. */

import { createHash } from 'node:crypto';

import type { Clock, Log } from '@callsign/core';
import type { InstanceDirectory, Leases, News } from '@callsign/instances';
import { InstanceNetwork, InstanceServers, ServerPlaces, ShownCredentials } from '@callsign/peers';
import type { CheckCaller } from '@callsign/peers';
import type { Implementation } from '@callsign/rpc';
import type { Authenticate, HttpListener } from '@callsign/wire';

import type { InstanceSettings } from '../config/instance-settings.js';

/** What the instances share. */
export interface SharedStores {
  readonly directory: InstanceDirectory;
  readonly leases: Leases;
  readonly news: News;
}

export interface GatewayInstanceOptions {
  readonly settings: InstanceSettings;
  readonly stores: SharedStores;
  readonly self: Implementation;
  /** The text of the configuration, to compare instances by. */
  readonly configuration: string;
  readonly clock: Clock;
  readonly log: Log;
  /** How long a lease lasts, and how often this instance says that it runs. Unset: the defaults. */
  readonly leaseMs?: number;
  readonly everyMs?: number;
}

export class GatewayInstance {
  readonly #options: GatewayInstanceOptions;
  readonly #network: InstanceNetwork;
  readonly #credentials = new ShownCredentials();
  #places: ServerPlaces | undefined;
  #servers: InstanceServers | undefined;

  constructor(options: GatewayInstanceOptions) {
    this.#options = options;
    const { settings, stores, self, configuration, clock, log } = options;
    this.#network = new InstanceNetwork({
      directory: stores.directory,
      clock,
      secrets: settings.secrets,
      host: settings.host,
      port: settings.port,
      advertisedHost: settings.advertise,
      configuration: createHash('sha256').update(configuration).digest('hex'),
      version: self.version,
      log,
      ...(options.everyMs === undefined ? {} : { everyMs: options.everyMs }),
    });
  }

  get id(): string {
    return this.#network.id;
  }

  get homes(): InstanceNetwork['homes'] {
    return this.#network.homes;
  }

  /** Why this instance takes no new work; `undefined` if it does. */
  notReady(): string | undefined {
    return this.#network.membership.isReachable ? undefined : 'the directory cannot be reached';
  }

  /** Enters the directory. Rejects if it cannot be reached. */
  open(): Promise<void> {
    return this.#network.open();
  }

  /** Servers that run on one instance. `check` checks callers of other instances. */
  servers(check: CheckCaller): InstanceServers {
    const { stores, self, clock, log } = this.#options;
    const network = this.#network;
    this.#places = new ServerPlaces({
      self: network.id,
      leases: stores.leases,
      news: stores.news,
      clock,
      log,
      find: (id) => network.membership.find(id),
      reaches: async (instance) => (await network.alive(instance)) !== undefined,
      isCutForAll: () => network.isCutForAll(),
      ...(this.#options.leaseMs === undefined ? {} : { leaseMs: this.#options.leaseMs }),
    });
    this.#servers = new InstanceServers({
      places: this.#places,
      self,
      agent: (key, onBroken) => network.connections.agent(key, onBroken),
      credentialOf: (principal) => this.#credentials.of(principal),
      check,
    });
    network.onServer = (request, response) => this.#servers!.take(request, response);
    return this.#servers;
  }

  /** Remembers what callers show, for calls that run on another instance. */
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

  /** Takes changed settings. Only the secrets can change while it runs. */
  apply({ secrets }: InstanceSettings): void {
    this.#network.replaceSecrets(secrets);
  }

  /** Tells the others that this instance takes no new sessions. */
  async drain(): Promise<void> {
    await this.#network.drain().catch(() => undefined);
  }

  /** Gives up all leases and leaves the directory. */
  async close(): Promise<void> {
    await this.#places?.close();
    await this.#network.close();
  }
}
