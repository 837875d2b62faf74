/** What servers offer, found out by starting them. */

import type { Gateway, GatewayConfig, ServerConfig } from '@callsign/gateway';
import type { ServerStatus, Settings } from '@callsign/gateway';

import type { Context } from '@callsign/command';
import { definitionOf, type CataloguedServer } from './catalogue.js';
import { toolsFailure } from './not-started.js';
import { withRunning } from './running-gateway.js';

function failureOf(state: ServerStatus['state']): string | undefined {
  if (state.is === 'ready') return toolsFailure(state.failures);
  return 'reason' in state ? state.reason : undefined;
}

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
    // Only what the servers say now.
    remember: false,
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
      const failed = state && failureOf(state);
      const failure =
        failed === undefined ? {} : { failure: failed, said: lastLines(gateway, key) };
      const { instructions } = gateway.servers.offered(key);
      return { key, definition: definitionOf(server), noted, tools, instructions, ...failure };
    });
  });
}
