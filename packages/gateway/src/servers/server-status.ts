/** The state of every server of a configuration, running or not. */

import type { GatewayConfig } from '../config/gateway-config.js';
import type { ServerStatus } from './roster.js';

/** In the order of the configuration; those whose entries have problems come last. */
export function statusOfAll(
  { servers, unavailable = [] }: GatewayConfig,
  running: readonly ServerStatus[],
): ServerStatus[] {
  const known = new Map(running.map((server) => [server.key, server]));
  const starting = { state: { is: 'starting' as const }, tools: 0, restarts: 0 };
  return [
    ...servers.map(({ key }) => known.get(key) ?? { key, ...starting }),
    ...unavailable.map(({ key, reason }) => {
      return { key, state: { is: 'failed' as const, reason }, tools: 0, restarts: 0 };
    }),
  ];
}
