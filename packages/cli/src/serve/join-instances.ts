/** Connects a served gateway with other instances. */

import {
  type Gateway,
  type GatewayConfig,
  type GatewayInstance,
  instanceReports,
  JoinedInstance,
  openInstance,
  openStorage,
  type Reloader,
  type SharedStorage,
} from '@callsign/gateway/host';

import type { Shell } from '../command/shell.js';
import type { Stderr } from '../command/stderr.js';
import { SELF, VERSION } from '../command/version.js';

export interface Shared {
  readonly storage?: SharedStorage | undefined;
  readonly instance?: GatewayInstance | undefined;
}

/** Opens the shared storage and the network of instances, if they are configured. */
export async function openShared(
  config: GatewayConfig,
  env: Shell['env'],
  log: Stderr['log'],
): Promise<Shared> {
  const storage = await openStorage(config.settings.storage, { env, secrets: config.secrets, log });
  if (!storage) return {};
  try {
    return { storage, instance: await openInstance(config, { storage, self: SELF, env, log }) };
  } catch (error) {
    await storage.close();
    throw error;
  }
}

/** Enters the directory of instances. */
export async function join(
  gateway: Gateway,
  storage: SharedStorage,
  reloader: Reloader,
  log: Stderr['log'],
): Promise<void> {
  const reload = (): Promise<void> => reloader.look();
  const { config, instance } = gateway;
  const report = instanceReports(gateway, () => reloader.problem);
  const joining = { storage, config, version: VERSION, log, reload, instance, report };
  const address = await instance?.listen();
  gateway.shared.joined = new JoinedInstance({ ...joining, address });
  await gateway.shared.joined.open();
}
