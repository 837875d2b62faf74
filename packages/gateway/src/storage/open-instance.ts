/** Makes this gateway one of many instances. What goes between them is loaded only if it is configured. */

import type { Log } from '@callsign/core';
import { StorageError } from '@callsign/instances';
import type { SharedStorage } from '@callsign/postgres';
import type { Implementation } from '@callsign/rpc';

import type { GatewayConfig } from '../config/gateway-config.js';
import type { InstanceSettings } from '../config/instance-settings.js';
import { type Environment, expandVariables } from '../config/variables.js';
import type { GatewayInstance } from '../instance/gateway-instance.js';
import { SYSTEM_CLOCK } from '../modules/system-clock.js';

export interface OpenInstanceOptions {
  readonly storage: SharedStorage;
  readonly self: Implementation;
  readonly log: Log;
  /** Unset: our own environment. */
  readonly env?: Environment;
}

const MIN_SECRET = 32;

/** `undefined`: other instances do not reach this one. Rejects with a `StorageError` if a setting is wrong. */
export async function openInstance(
  config: GatewayConfig,
  { storage, self, log, env = process.env }: OpenInstanceOptions,
): Promise<GatewayInstance | undefined> {
  const { instances } = config.settings;
  if (!instances) return undefined;
  const { GatewayInstance: Instance } = await import('../instance/gateway-instance.js');
  const settings = expandInstances(instances, env);
  return new Instance({ settings, storage, self, clock: SYSTEM_CLOCK, log });
}

/** The settings with their variables replaced. Values are secrets, so they are not part of a message. */
export function expandInstances(settings: InstanceSettings, env: Environment): InstanceSettings {
  const expand = (name: string, written: string): string => {
    const { text, faults } = expandVariables(written, env);
    const [fault] = faults;
    if (fault)
      throw new StorageError(`the variable "${fault.name}" of instances.${name} is not set`);
    return text;
  };
  const { host, advertise, secrets } = settings;
  const expanded = secrets.map((secret) => expand('secrets', secret));
  if (expanded.some(({ length }) => length < MIN_SECRET)) {
    throw new StorageError(`a secret of instances.secrets has less than ${MIN_SECRET} characters`);
  }
  return {
    ...settings,
    host: expand('host', host),
    ...(advertise === undefined ? {} : { advertise: expand('advertise', advertise) }),
    secrets: expanded,
  };
}
