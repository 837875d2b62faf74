/**
 * Opens the storage that instances share. The database driver is loaded only if `storage` is set.
 */

import type { Environment, Secrets } from '@callsign/config';
import type { Log } from '@callsign/core';
import { StorageError, type StorageSettings } from '@callsign/instances';
import type { SharedStorage, StorageProblem } from '@callsign/instances/postgres';

import { SYSTEM_CLOCK } from '../modules/system-clock.js';
import { expandSecrets, expandText, type SettingValues } from './secrets.js';

/** Who opens the storage: a gateway, or a command that ends soon. */
export interface OpenStorageOptions {
  readonly log: Log;
  /** Default: our own environment. */
  readonly env?: Environment;
  /** The secrets of the configuration. */
  readonly secrets: Secrets | undefined;
  /** For a command, which gets no news. */
  readonly isBrief?: boolean;
}

/** `undefined`: nothing is shared. Rejects with a `StorageError` if the database cannot be used. */
export async function openStorage(
  settings: StorageSettings | undefined,
  { log, env = process.env, secrets, isBrief = false }: OpenStorageOptions,
): Promise<SharedStorage | undefined> {
  if (!settings) return undefined;
  const expanded = expand(settings, { env, secrets });
  const { openStorage: open } = await import('@callsign/instances/postgres');
  return await open({ settings: expanded, clock: SYSTEM_CLOCK, log, isBrief });
}

/** Tries the database and changes nothing there. `undefined`: an instance can use it. Takes some seconds at most. */
export async function tryStorage(
  settings: StorageSettings,
  values: SettingValues,
): Promise<StorageProblem | undefined> {
  let expanded: StorageSettings;
  try {
    expanded = expand(settings, values);
  } catch (error) {
    if (!(error instanceof StorageError)) throw error;
    return { message: error.message, advice: 'set the variable, or correct "callsign.storage"' };
  }
  const { storageProblem } = await import('@callsign/instances/postgres');
  return await storageProblem(expanded);
}

/** The settings with their variables replaced. */
function expand(settings: StorageSettings, values: SettingValues): StorageSettings {
  const { postgres, direct, secrets } = settings;
  return {
    ...settings,
    postgres: urlOf('postgres', postgres, values),
    ...(direct === undefined ? {} : { direct: urlOf('direct', direct, values) }),
    ...(secrets === undefined ? {} : { secrets: expandSecrets('storage', secrets, values) }),
  };
}

/** The value is a secret, so it is not part of the message. */
function urlOf(name: string, written: string, values: SettingValues): string {
  const text = expandText(`storage.${name}`, written, values);
  if (/^postgres(ql)?:\/\/./.test(text) && URL.canParse(text)) return text;
  throw new StorageError(`storage.${name} is not a URL that starts with "postgres://"`);
}
