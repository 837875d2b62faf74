/** Opens the lock and the sign-ins of a configuration for a command. */

import { homeIn } from '@callsign/config';
import {
  type GatewayConfig,
  hasOwnCredential,
  type KeptStores,
  openKept,
} from '@callsign/gateway/host';

import type { Context } from '../command/command.js';
import { storageFailure } from '../command/failure.js';

/**
 * Runs work with the stores and closes them. They are files, or the database that instances share.
 */
export async function withKept<T>(
  { env, stderr }: Context,
  { settings }: GatewayConfig,
  work: (kept: KeptStores) => Promise<T>,
): Promise<T> {
  const options = { env, log: stderr.log, home: homeIn(env) };
  const kept = await openKept(settings, options).catch((error: Error) => {
    throw storageFailure(error);
  });
  try {
    return await work(kept);
  } finally {
    await kept.close();
  }
}

/** The same, but opens nothing if no server needs it; then `kept` is undefined. */
export function withKeptOf<T>(
  context: Context,
  config: GatewayConfig,
  work: (kept: KeptStores | undefined) => Promise<T>,
): Promise<T> {
  const { servers, settings } = config;
  const signsIn = servers.some((each) => each.transport !== 'stdio' && !hasOwnCredential(each));
  const isNeeded = settings.storage !== undefined && (signsIn || settings.lock !== 'off');
  return isNeeded ? withKept(context, config, work) : work(undefined);
}
