/** Opens this gateway as one of many instances on a shared database. Loaded only if that is configured. */

import type { Log } from '@callsign/core';
import type { StorageSettings } from '@callsign/instances';
import {
  connectionOptions,
  Database,
  migrate,
  postgresDirectory,
  postgresLeases,
  PostgresNews,
} from '@callsign/postgres';
import type { Implementation } from '@callsign/rpc';

import type { GatewayConfig } from '../config/gateway-config.js';
import { SYSTEM_CLOCK } from '../modules/system-clock.js';
import { GatewayInstance } from './gateway-instance.js';

export interface OpenInstanceOptions {
  readonly self: Implementation;
  readonly log: Log;
}

export interface OpenInstance {
  readonly instance: GatewayInstance;
  /** Leaves the directory and closes the database. */
  close(): Promise<void>;
}

/** `undefined` if the configuration is for one instance only. Rejects if the database cannot be reached. */
export async function openInstance(
  config: GatewayConfig,
  { self, log }: OpenInstanceOptions,
): Promise<OpenInstance | undefined> {
  const { storage, instances: settings } = config.settings;
  if (!storage || !settings) return undefined;
  const { database, news } = await openStores(storage);
  const instance = new GatewayInstance({
    settings,
    stores: { directory: postgresDirectory(database), leases: postgresLeases(database), news },
    self,
    configuration: sharedPart(config),
    clock: SYSTEM_CLOCK,
    log,
  });
  const close = async (): Promise<void> => {
    await instance.close();
    await news.close();
    await database.close();
  };
  try {
    await instance.open();
  } catch (error) {
    await close();
    throw error;
  }
  return { instance, close };
}

interface OpenStores {
  readonly database: Database;
  readonly news: PostgresNews;
}

async function openStores(storage: StorageSettings): Promise<OpenStores> {
  const { postgres, direct = postgres, schema, connections, tls } = storage;
  const connection = connectionOptions(postgres, tls);
  const database = new Database({ connection, schema, connections });
  await migrate(database);
  const news = new PostgresNews({
    database,
    connection: connectionOptions(direct, tls),
    clock: SYSTEM_CLOCK,
  });
  await news.open();
  return { database, news };
}

/** What must be the same on all instances. Addresses need not be. */
function sharedPart({ written, settings }: GatewayConfig): string {
  const { http: _, instances: __, storage: ___, ...rest } = settings;
  return JSON.stringify([written, rest]);
}
