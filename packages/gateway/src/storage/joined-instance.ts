/** This gateway among the instances that share its storage: seen by the others, and told to reload. */

import type { Log } from '@callsign/core';
import { Membership } from '@callsign/instances';
import type { SharedStorage } from '@callsign/postgres';

import { configurationHash } from '../config/configuration-hash.js';
import type { GatewayConfig } from '../config/gateway-config.js';
import { SYSTEM_CLOCK } from '../modules/system-clock.js';

export interface JoinedInstanceOptions {
  readonly storage: SharedStorage;
  readonly config: GatewayConfig;
  readonly version: string;
  readonly log: Log;
  /** Reads the configuration again. */
  readonly reload: () => void;
}

/** How often an instance looks for orders, in case that news was lost. */
const LOOK_MS = 5_000;

export class JoinedInstance {
  readonly membership: Membership;
  readonly #options: JoinedInstanceOptions;
  readonly #stop: () => void;
  #cancel: (() => void) | undefined;
  #reloads: number | undefined;

  constructor(options: JoinedInstanceOptions) {
    this.#options = options;
    const { storage, config, version, log } = options;
    this.membership = new Membership({
      directory: storage.directory,
      clock: SYSTEM_CLOCK,
      self: {
        id: storage.instance,
        address: '',
        key: '',
        configuration: configurationHash(config),
        version,
        state: 'ready',
      },
      onFault: (error) =>
        error === undefined
          ? log('warning', 'The database can be reached again.')
          : log('warning', `Other instances cannot see this one: ${(error as Error).message}.`),
    });
    this.#stop = storage.news.subscribe('orders', () => void this.#look());
  }

  /** Enters the directory. If the database went away just now, that is tried again. */
  async open(): Promise<void> {
    try {
      await this.membership.open();
      await this.#look();
      this.#lookLater();
    } catch (error) {
      this.#options.log('debug', `This instance is not in the directory: ${String(error)}`);
      this.#cancel = SYSTEM_CLOCK.after(LOOK_MS, () => void this.open());
    }
  }

  /** Tells the others which configuration runs here. */
  applied(config: GatewayConfig): void {
    this.membership.change({ configuration: configurationHash(config) }).catch(() => {});
  }

  async close(): Promise<void> {
    this.#stop();
    this.#cancel?.();
    await this.membership.close();
  }

  #lookLater(): void {
    this.#cancel = SYSTEM_CLOCK.after(LOOK_MS, () => {
      void this.#look().then(() => this.#lookLater());
    });
  }

  async #look(): Promise<void> {
    const { storage, reload } = this.#options;
    const reloads = await storage.orders.count('reload').catch(() => this.#reloads);
    const isNew = this.#reloads !== undefined && reloads !== this.#reloads;
    this.#reloads = reloads;
    if (isNew) reload();
  }
}
