/** The key under which the offer of a configured server is remembered. */

import type { GatewayConfig } from '../config/gateway-config.js';
import type { ServerConfig } from '../config/server-config.js';
import type { MemoryKey } from './offer-memory.js';

/** `holder`: whose sign-in the server uses. */
export function memoryKeyOf(
  config: GatewayConfig,
  { key, settings: { era, inheritEnv } }: ServerConfig,
  holder: string | undefined,
): MemoryKey {
  // With default settings the key is the entry alone.
  const isPlain = era === 'auto' && inheritEnv === false;
  return {
    entry: writtenEntry(config, key),
    ...(isPlain ? {} : { settings: [era, inheritEnv] }),
    holder,
  };
}

/** The entry of a server as written; `undefined` if it is not known, such as for servers of a command line. */
export function writtenEntry({ written = {} }: GatewayConfig, key: string): string | undefined {
  return Object.hasOwn(written, key) ? written[key] : undefined;
}
