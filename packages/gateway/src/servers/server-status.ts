/** The state of a server, for its operator. */

import type { UpstreamState } from '@callsign/wire';

import type { GatewayConfig } from '../config/gateway-config.js';

/** One server in `status`, `/healthz` and the console. */
export interface ServerStatus {
  readonly key: string;
  readonly state: UpstreamState;
  readonly tools: number;
  /** The number of restarts. */
  readonly restarts: number;
}

/** Why a server is not ready, or what fails although it is ready. */
export function reasonIn(state: UpstreamState): string | undefined {
  if (state.is === 'ready') return state.failures?.join('; ');
  return 'reason' in state ? state.reason : undefined;
}

/**
 * The status of all configured servers. A server that is not in `running` is starting, or has a bad
 * entry.
 */
export function allServers(
  { servers, unavailable = [], misnamed = [] }: GatewayConfig,
  running: readonly ServerStatus[],
): ServerStatus[] {
  const byKey = new Map(running.map((server) => [server.key, server]));
  const starting = { state: { is: 'starting' as const }, tools: 0, restarts: 0 };
  return [
    ...servers.map(({ key }) => byKey.get(key) ?? { key, ...starting }),
    ...unavailable.map(({ key, reason }) => failed(key, reason)),
    ...misnamed.map(({ shown, reason }) => failed(shown, reason)),
  ];
}

function failed(key: string, reason: string): ServerStatus {
  return { key, state: { is: 'failed', reason }, tools: 0, restarts: 0 };
}
