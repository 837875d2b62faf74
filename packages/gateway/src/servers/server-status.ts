/** The state of a server, for its operator. */

import type { UpstreamState } from '@callsign/wire';

import type { GatewayConfig } from '../config/gateway-config.js';
import { sandboxOf } from '../config/sandbox-settings.js';
import type { ServerConfig } from '../config/server-config.js';
import type { Refusals } from '../sandbox/refusals.js';

/** One server in `status`, `/healthz` and the console. */
export interface ServerStatus {
  readonly key: string;
  readonly state: UpstreamState;
  readonly tools: number;
  /** The number of restarts. */
  readonly restarts: number;
  /** Its processes. Missing outside of the background gateway. */
  readonly processes?: readonly ProcessStatus[];
  /** Missing if it has no sandbox. */
  readonly sandbox?: SandboxStatus;
}

/** The sandbox of a server. */
export interface SandboxStatus {
  readonly files: 'its working folder' | 'none' | readonly string[];
  readonly network: 'all' | 'none' | readonly string[];
  /** What was refused since the gateway started: paths, hosts, or the network. The newest is the last. */
  readonly refused: readonly string[];
}

export function sandboxStatus(
  { transport, settings }: ServerConfig,
  refusals: Refusals | undefined,
): SandboxStatus | undefined {
  const sandbox = transport === 'stdio' ? sandboxOf(settings.sandbox) : undefined;
  if (!sandbox) return undefined;
  const { files, network } = sandbox;
  const changed =
    files === undefined ? 'its working folder' : files === 'read-only' ? 'none' : files.write;
  return { files: changed, network, refused: refusals?.list ?? [] };
}

/** One process of a server. */
export interface ProcessStatus {
  readonly state: UpstreamState['is'];
  /** How many clients of this machine use it. */
  readonly clients: number;
  /** As these clients call themselves, as far as they have. */
  readonly names?: readonly string[];
  /** Why they use this one, in plain words. */
  readonly reason: string;
}

/** Why a server is not ready, or what fails although it is ready. */
export function reasonIn(state: UpstreamState): string | undefined {
  if (state.is === 'ready') return state.failures?.join('; ');
  if (state.is === 'asleep' && state.reason !== undefined)
    return `last start failed: ${state.reason}`;
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
