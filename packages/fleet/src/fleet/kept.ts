/** The lock and sign-ins of a configuration, as a command uses them. */

import { hasOwnCredential, openKept } from '@callsign/gateway';
import type { GatewayConfig, KeptStores } from '@callsign/gateway';

import { storageFailure, type Context } from '@callsign/command';
import { homeIn } from './state-home.js';

/** Runs work with them, and closes them. They are in files, or in the database that instances share. */
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

/** The same for servers that a command starts. The database is not asked if none of them needs it. */
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
