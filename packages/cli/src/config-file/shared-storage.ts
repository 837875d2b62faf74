/** Opens the shared storage of a configuration for a command. */

import { type GatewayConfig, openStorage, type SharedStorage } from '@callsign/gateway/host';
import type { StorageSettings } from '@callsign/instances';

import type { Context } from '../command/command.js';
import { EXIT } from '../command/exit-code.js';
import { Failure, storageFailure } from '../command/failure.js';
import { requireConfig } from './required-config.js';

export async function requireStorage(
  { env, stderr }: Context,
  settings: StorageSettings,
  secrets: GatewayConfig['secrets'],
): Promise<SharedStorage> {
  try {
    return (await openStorage(settings, { env, secrets, log: stderr.log, isBrief: true }))!;
  } catch (error) {
    throw storageFailure(error as Error);
  }
}

/** For `--all`: a configuration without storage has no other instances. */
export async function storageOf(context: Context): Promise<SharedStorage> {
  const { settings, secrets } = await requireConfig(context);
  if (settings.storage) return await requireStorage(context, settings.storage, secrets);
  const message = `${context.file} has no "storage", so there are no other instances. See docs/many-instances.md`;
  throw new Failure({ exit: EXIT.usage, code: 'no-storage', message });
}
