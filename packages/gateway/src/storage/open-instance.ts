/**
 * Makes this gateway one of many instances. The code for it is loaded only if `instances` is set.
 */

import type { Environment } from '@callsign/config';
import type { Log } from '@callsign/core';
import { StorageError } from '@callsign/instances';
import type { SharedStorage } from '@callsign/instances/postgres';
import type { Implementation } from '@callsign/wire/rpc';

import type { GatewayConfig } from '../config/gateway-config.js';
import { hostProblem, type InstanceSettings } from '../config/instance-settings.js';
import type { GatewayInstance } from '../instance/gateway-instance.js';
import { SYSTEM_CLOCK } from '../modules/system-clock.js';
import { expandSecrets, expandText, type SettingValues } from './secrets.js';

export interface OpenInstanceOptions {
  readonly storage: SharedStorage;
  readonly self: Implementation;
  readonly log: Log;
  /** Default: our own environment. */
  readonly env?: Environment;
}

/** `undefined`: other instances cannot reach this one. Rejects with a `StorageError` if a setting is wrong. */
export async function openInstance(
  config: GatewayConfig,
  { storage, self, log, env = process.env }: OpenInstanceOptions,
): Promise<GatewayInstance | undefined> {
  const { instances } = config.settings;
  if (!instances) return undefined;
  const { GatewayInstance: Instance } = await import('../instance/gateway-instance.js');
  const settings = expandInstances(instances, { env, secrets: config.secrets });
  return new Instance({ settings, storage, self, clock: SYSTEM_CLOCK, log });
}

/** The settings with their variables replaced. */
export function expandInstances(
  settings: InstanceSettings,
  values: SettingValues,
): InstanceSettings {
  const expand = (name: string, written: string): string =>
    expandText(`instances.${name}`, written, values);
  const expandHost = (name: string, written: string): string => {
    const host = expand(name, written);
    const problem = hostProblem(host);
    if (problem === undefined) return host;
    throw new StorageError(`instances.${name} ${problem}`);
  };
  const { host, advertise, secrets } = settings;
  return {
    ...settings,
    host: expandHost('host', host),
    ...(advertise === undefined ? {} : { advertise: expandHost('advertise', advertise) }),
    secrets: expandSecrets('instances', secrets, values),
  };
}
