/** The API keys that count for a configuration, as a command uses them. */

import type { ApiKeyStore } from '@callsign/auth';
import { type GatewayConfig, openStorage } from '@callsign/gateway/host';

import type { Context } from '../command/command.js';
import { storageFailure } from '../command/failure.js';
import { configKeys } from '../config-file/config-keys.js';
import { requireConfig } from '../config-file/required-config.js';

/** Where keys are. New ones go to `shared`, if it is set. */
export interface KeyPlaces {
  readonly file: ApiKeyStore;
  /** Set if the keys of all instances are in the database. */
  readonly shared?: ApiKeyStore;
  /** Whether tokens of an issuer are accepted too. */
  readonly takesTokens: boolean;
  /** The roles that the configuration describes. Missing if it has no `roles`. */
  readonly roles?: readonly string[];
  /** The configuration. */
  readonly config: GatewayConfig;
}

export async function withKeys<T>(
  context: Context,
  work: (places: KeyPlaces) => Promise<T>,
): Promise<T> {
  const { env, stderr } = context;
  const config = await requireConfig(context);
  const { auth, roles, storage } = config.settings;
  const takesTokens = auth?.tokens !== undefined;
  const described = roles && { roles: Object.keys(roles) };
  const places = { file: configKeys(context), takesTokens, ...described, config };
  if (!auth?.sharedKeys) return await work(places);
  const opened = await openStorage(storage, {
    env,
    secrets: config.secrets,
    log: stderr.log,
    isBrief: true,
  }).catch((error: Error) => {
    throw storageFailure(error);
  });
  try {
    return await work({ ...places, ...(opened ? { shared: opened.apiKeys } : {}) });
  } finally {
    await opened?.close();
  }
}
