/** Opens the lock and the sign-ins of a configuration for a command. */

import { homeIn } from '@callsign/config';
import {
  type GatewayConfig,
  hasOwnCredential,
  type StateStores,
  openStateStores,
} from '@callsign/gateway/host';

import type { Context } from '../command/command.js';
import { storageFailure } from '../command/failure.js';

/**
 * Runs work with the stores and closes them. They are files, or the database that instances share.
 */
export async function withStateStores<T>(
  { env, stderr }: Context,
  config: GatewayConfig,
  work: (stores: StateStores) => Promise<T>,
): Promise<T> {
  const options = { env, log: stderr.log, home: homeIn(env) };
  const stores = await openStateStores(config, options).catch((error: Error) => {
    throw storageFailure(error);
  });
  try {
    return await work(stores);
  } finally {
    await stores.close();
  }
}

/** `withStateStores`, but it opens nothing if no server needs it; then `stores` is undefined. */
export function withStateStoresOf<T>(
  context: Context,
  config: GatewayConfig,
  work: (stores: StateStores | undefined) => Promise<T>,
): Promise<T> {
  const { servers, settings } = config;
  const signsIn = servers.some((each) => each.transport !== 'stdio' && !hasOwnCredential(each));
  const isNeeded = settings.storage !== undefined && (signsIn || settings.lock !== 'off');
  return isNeeded ? withStateStores(context, config, work) : work(undefined);
}
