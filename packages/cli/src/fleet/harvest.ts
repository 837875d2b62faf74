/** What servers offer, found out by starting them. */

import type { Gateway, GatewayConfig, ServerConfig, Settings } from '@callsign/gateway';

import type { Context } from '../command/command.js';
import { definitionOf, type CataloguedServer } from './catalogue.js';
import { withRunning } from './running-gateway.js';

/** Lines of standard error that are kept of a server that failed. */
const MAX_LINES = 8;

function lastLines(gateway: Gateway, key: string): string[] {
  const lines =
    gateway.servers
      .logOf(key)
      ?.lines()
      .map(({ text }) => text) ?? [];
  // A second start prints the same again.
  return [...new Set(lines)].slice(-MAX_LINES);
}

/** Every tool, also those that the settings of today do not admit. */
export function harvest(
  context: Context,
  config: GatewayConfig,
  servers: readonly ServerConfig[],
): Promise<CataloguedServer[]> {
  const { policy: _, roles: __, modules: ___, ...others } = config.settings;
  const settings: Settings = {
    ...others,
    tools: { deny: [] },
    // Looking accepts nothing, and calls nothing that would be recorded.
    lock: 'off',
    quarantine: 'off',
    audit: { ...others.audit, mode: 'off' },
  };
  const flat = servers.map((server) => ({
    ...server,
    settings: { ...server.settings, view: 'flat' as const },
  }));
  return withRunning(context, { ...config, servers: flat, settings }, async (gateway) => {
    const noted = new Date().toISOString();
    const states = new Map(gateway.status().map(({ key, state }) => [key, state]));
    const entries = [...gateway.hub.entries('tool').values()];
    return servers.map((server) => {
      const { key } = server;
      const state = states.get(key);
      const tools = entries.filter(({ ref }) => ref.server === key).map(({ item }) => item);
      const failure =
        state && 'reason' in state ? { failure: state.reason, said: lastLines(gateway, key) } : {};
      return { key, definition: definitionOf(server), noted, tools, ...failure };
    });
  });
}
