/** Starts servers for a moment to find out what they offer. */

import {
  type Gateway,
  type GatewayConfig,
  type LogLine,
  type ServerConfig,
  type ServerStatus,
  type Settings,
  toolsFailure,
} from '@callsign/gateway/host';

import type { Context } from '../command/command.js';
import type { OfferedServer } from './offered-server.js';
import { withRunning } from './running-gateway.js';

function failureOf(state: ServerStatus['state']): string | undefined {
  return 'reason' in state ? state.reason : toolsFailure(state);
}

/** How many lines of standard error are shown for a server that failed. */
const MAX_LINES = 8;

function lastLines(said: readonly LogLine[]): string[] {
  // A second start prints the same again.
  return [...new Set(said.map(({ text }) => text))].slice(-MAX_LINES);
}

/**
 * Every tool that the servers list now, including those that the settings hide. The lists are
 * remembered.
 */
export function harvest(
  context: Context,
  config: GatewayConfig,
  servers: readonly ServerConfig[],
): Promise<OfferedServer[]> {
  const { policy: _, roles: __, modules: ___, ...others } = config.settings;
  const settings: Settings = {
    ...others,
    tools: { deny: [] },
    // It must not change the lock file, and it makes no calls that would be recorded.
    lock: 'off',
    quarantine: 'off',
    audit: { ...others.audit, mode: 'off' },
  };
  const flat = servers.map((server) => ({
    ...server,
    settings: { ...server.settings, view: 'flat' as const },
  }));
  const plain = { ...config, servers: flat, settings };
  const read = async (gateway: Gateway): Promise<OfferedServer[]> => {
    const states = new Map(gateway.status().map(({ key, state }) => [key, state]));
    const entries = [...gateway.hub.entries('tool').values()];
    return servers.map(({ key }) => {
      const state = states.get(key);
      const tools = entries.filter(({ ref }) => ref.server === key).map(({ item }) => item);
      const failed = state && failureOf(state);
      const said = gateway.servers.logOf(key)?.said() ?? [];
      const failure =
        failed === undefined
          ? { stray: said.find(({ from }) => from === 'stdout')?.text }
          : { failure: failed, said: lastLines(said) };
      return { key, ...gateway.servers.offered(key), tools, ...failure };
    });
  };
  return withRunning(context, plain, read, { isFresh: true });
}
