/** This gateway as one of the instances that share its storage: the others see it, and can tell it to reload. */

import type { Log } from '@callsign/core';
import { Membership, type InstanceReport } from '@callsign/instances';
import type { InstanceAddress } from '@callsign/instances/peers';
import type { SharedStorage } from '@callsign/instances/postgres';

import { configurationHash } from '../config/configuration-hash.js';
import type { GatewayConfig } from '../config/gateway-config.js';
import type { GatewayInstance } from '../instance/gateway-instance.js';
import { SYSTEM_CLOCK } from '../modules/system-clock.js';
import { surveyInstances, type SurveyedInstance } from './instance-survey.js';
import { expandInstances } from './open-instance.js';

export interface JoinedInstanceOptions {
  readonly storage: SharedStorage;
  readonly config: GatewayConfig;
  readonly version: string;
  readonly log: Log;
  /** The network between instances. Default: others see this instance but cannot reach it. */
  readonly instance?: GatewayInstance | undefined;
  /** The address at which others reach it, if they can. */
  readonly address?: InstanceAddress | undefined;
  /** Reads the configuration again. Resolves when it was applied or refused. */
  readonly reload: () => Promise<void>;
  /** What operators see of this instance, without what it knows of orders. */
  readonly report: () => InstanceReport;
}

const NOWHERE: InstanceAddress = { address: '', key: '' };
/**
 * How often an instance looks for orders such as a reload, in case the database's news was lost.
 */
const LOOK_MS = 5_000;

/** Exists only with shared storage. A database that is away never stops the gateway. */
export class JoinedInstance {
  readonly membership: Membership;
  readonly #options: JoinedInstanceOptions;
  readonly #stop: () => void;
  #cancel: (() => void) | undefined;
  /** How many orders to reload were given when it last looked. */
  #reloads: number | undefined;
  /** How many of them it has carried out. Those before its start count, since it has read its file since then. */
  #reloaded = 0;
  #hasWarned = false;

  constructor(options: JoinedInstanceOptions) {
    this.#options = options;
    const { storage, config, version, log, report, address = NOWHERE } = options;
    this.membership = new Membership({
      directory: storage.directory,
      clock: SYSTEM_CLOCK,
      report: () => ({ ...report(), reloads: this.#reloaded }),
      self: {
        id: storage.instance,
        ...address,
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

  /** Enters the directory. Never rejects: if the database is away, it tries again later. */
  async open(): Promise<void> {
    try {
      await this.membership.open();
      if (this.#hasWarned) this.#options.log('warning', 'Other instances can see this one now.');
      this.#options.instance?.join(this.membership);
      await this.#look();
      this.#lookLater();
    } catch (error) {
      this.#warnOnce(error);
      this.#cancel = SYSTEM_CLOCK.after(LOOK_MS, () => void this.open());
    }
  }

  /** All instances, this one included. Rejects if the database is away. */
  survey(): Promise<SurveyedInstance[]> {
    return surveyInstances(this.#options.storage, this.membership.self.configuration);
  }

  /** Publishes which configuration runs here. */
  applied(config: GatewayConfig): void {
    this.membership.change({ configuration: configurationHash(config) }).catch(() => {});
    const { instance, log } = this.#options;
    const { instances } = config.settings;
    try {
      if (instances)
        instance?.replaceSecrets(
          expandInstances(instances, { env: process.env, secrets: config.secrets }).secrets,
        );
    } catch (error) {
      log(
        'warning',
        `The new secrets for instances were not applied: ${(error as Error).message}.`,
      );
    }
  }

  async close(): Promise<void> {
    this.#stop();
    this.#cancel?.();
    // The others check in the directory who speaks to them, so the directory comes last.
    await this.#options.instance?.leave();
    await this.membership.close();
    await this.#options.instance?.close();
  }

  #warnOnce(error: unknown): void {
    if (this.#hasWarned) return;
    this.#hasWarned = true;
    const reason = (error as Error).message;
    this.#options.log('warning', `Other instances cannot see this one yet: ${reason}.`);
  }

  #lookLater(): void {
    this.#cancel = SYSTEM_CLOCK.after(LOOK_MS, () => {
      void this.#look().then(() => this.#lookLater());
    });
  }

  async #look(): Promise<void> {
    const { storage, reload } = this.#options;
    const reloads = await storage.orders.count('reload').catch(() => this.#reloads);
    const isFirst = this.#reloads === undefined;
    const isNew = !isFirst && reloads !== this.#reloads;
    this.#reloads = reloads;
    if (isNew) await reload();
    else if (!isFirst) return;
    this.#reloaded = Math.max(this.#reloaded, reloads ?? 0);
    // The operator who gave the order waits for the report.
    await this.membership.change({}).catch(() => {});
  }
}
