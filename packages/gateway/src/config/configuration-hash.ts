/** A hash of the settings that must be equal on all instances. Variables are not replaced in it. */

import { createHash } from 'node:crypto';

import type { GatewayConfig } from './gateway-config.js';

/** Leaves out the sections that hold addresses: these differ between instances. */
export function configurationHash({ entries, settings, servers }: GatewayConfig): string {
  const { http: _http, storage: _storage, instances: _instances, ...shared } = settings;
  const ofServers = servers.map(({ key, settings: own }) => [key, own]);
  return createHash('sha256')
    .update(JSON.stringify([entries, shared, ofServers]))
    .digest('hex');
}
