/** The stores of the lock, of sign-ins and of API keys: files of this machine, or the shared database. */

import { SignInFile, type SharedApiKeys, type SignInStore } from '@callsign/auth';
import { type Environment, type Home, stateFolder } from '@callsign/config';
import type { Log } from '@callsign/core';
import { fileLock, type LockStore, startedFrom } from '@callsign/governance';
import type { SharedStorage } from '@callsign/instances/postgres';

import type { Settings } from '../config/settings.js';
import { openStorage } from './open-storage.js';

/** What must survive a restart: accepted definitions, and sign-ins to servers. */
export interface KeptStores {
  /** The store of the lock. `file`: its path beside the configuration. */
  lockAt(file: string): LockStore;
  readonly signIns: SignInStore;
  /** Unset: API keys are in the configuration only. */
  readonly apiKeys?: SharedApiKeys;
}

/** A shared lock is first filled from the file beside the configuration. */
export function keptStores(
  storage: Pick<SharedStorage, 'apiKeys' | 'lock' | 'signIns'> | undefined,
  home?: Home,
): KeptStores {
  if (!storage) return { lockAt: fileLock, signIns: new SignInFile(stateFolder(home)) };
  const { lock, signIns, apiKeys } = storage;
  return { lockAt: (file) => startedFrom(lock, fileLock(file)), signIns, apiKeys };
}

export interface OpenKeptOptions {
  readonly log: Log;
  readonly env: Environment;
  readonly home?: Home;
}

/** Opens the stores for a command. Rejects with a `StorageError` if the database cannot be used. */
export async function openKept(
  { storage }: Pick<Settings, 'storage'>,
  { log, env, home }: OpenKeptOptions,
): Promise<KeptStores & { close(): Promise<void> }> {
  const shared = await openStorage(storage, { log, env, isBrief: true });
  return { ...keptStores(shared, home), close: async () => await shared?.close() };
}
