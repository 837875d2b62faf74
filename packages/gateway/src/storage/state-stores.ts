/** The stores of the lock, of both kinds of sign-ins, of accounts and of API keys: files of this machine, or the shared database. */

import {
  type AccountStore,
  CallerSignInFile,
  type CallerSignInStore,
  SignInFile,
  type SharedApiKeys,
  type SignInStore,
} from '@callsign/auth';
import { type Environment, type Home, stateFolder } from '@callsign/config';
import type { Log } from '@callsign/core';
import { fileLock, type LockStore, startedFrom } from '@callsign/governance';
import type { SharedStorage } from '@callsign/instances/postgres';

import type { GatewayConfig } from '../config/gateway-config.js';
import { AccountFile } from './account-file.js';
import { openStorage } from './open-storage.js';

/** What must survive a restart: accepted definitions, and sign-ins. */
export interface StateStores {
  /** The store of the lock. `file`: its path beside the configuration. */
  lockAt(file: string): LockStore;
  /** Sign-ins to servers. */
  readonly signIns: SignInStore;
  /** People who signed in to this gateway. */
  readonly callerSignIns: CallerSignInStore;
  /** People's own accounts at servers. */
  readonly accounts: AccountStore;
  /** Default: API keys are in the configuration only. */
  readonly apiKeys?: SharedApiKeys;
}

/** A shared lock is first filled from the file beside the configuration. */
export function stateStores(
  storage:
    | Pick<SharedStorage, 'accounts' | 'apiKeys' | 'callerSignIns' | 'lock' | 'signIns'>
    | undefined,
  home?: Home,
): StateStores {
  if (!storage) {
    const folder = stateFolder(home);
    return {
      lockAt: fileLock,
      signIns: new SignInFile(folder),
      callerSignIns: new CallerSignInFile(folder),
      accounts: new AccountFile(folder),
    };
  }
  const { lock, signIns, callerSignIns, accounts, apiKeys } = storage;
  const lockAt = (file: string): LockStore => startedFrom(lock, fileLock(file));
  return { lockAt, signIns, callerSignIns, accounts, apiKeys };
}

export interface StateStoresOptions {
  readonly log: Log;
  readonly env: Environment;
  readonly home?: Home;
}

/** Opens the stores for a command. Rejects with a `StorageError` if the database cannot be used. */
export async function openStateStores(
  { settings: { storage }, secrets }: Pick<GatewayConfig, 'settings' | 'secrets'>,
  { log, env, home }: StateStoresOptions,
): Promise<StateStores & { close(): Promise<void> }> {
  const shared = await openStorage(storage, { log, env, secrets, isBrief: true });
  return { ...stateStores(shared, home), close: async () => await shared?.close() };
}
