/** The API keys that count for a configuration, as a command uses them. */

import type { ApiKeyStore } from '@callsign/auth';
import { configKeys, requireConfig, type Context } from '@callsign/command';

import { withKept } from './kept.js';

/** Where keys are. New ones go to `shared`, if it is set. */
export interface KeyPlaces {
  readonly file: ApiKeyStore;
  /** Set if the keys of all instances are in the database. */
  readonly shared?: ApiKeyStore | undefined;
  /** The roles that the configuration describes. */
  readonly roles: readonly string[];
}

export async function withKeys<T>(
  context: Context,
  work: (places: KeyPlaces) => Promise<T>,
): Promise<T> {
  const config = await requireConfig(context);
  const { auth, roles = {} } = config.settings;
  const places = { file: configKeys(context), roles: Object.keys(roles) };
  if (!auth?.sharedKeys) return await work(places);
  return await withKept(context, config, ({ apiKeys }) => work({ ...places, shared: apiKeys }));
}
