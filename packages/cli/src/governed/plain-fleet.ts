/** The servers of a configuration with all tools, including denied ones and those behind a view. */

import { withoutToolLists } from '@callsign/config';
import type { GatewayConfig, ServerConfig } from '@callsign/gateway/host';

import type { Context } from '../command/command.js';
import { fleetOf, openFleet, type Fleet, type FleetOptions } from '../fleet/fleet.js';
import { harvest } from '../fleet/harvest.js';
import { unguarded } from './offered-tools.js';

/** Uses remembered tools, except for servers behind a view: for those only the view is remembered. */
export async function openPlainFleet(
  context: Context,
  config: GatewayConfig,
  options: FleetOptions,
): Promise<Fleet> {
  const plain = plainConfig(config);
  const viewed = viewedIn(config);
  const isViewed = ({ key }: { readonly key: string }): boolean => viewed.has(key);
  const shown = { ...plain, servers: plain.servers.filter((server) => !isViewed(server)) };
  const fleet = await openFleet(context, shown, options);
  if (viewed.size === 0) return fleet;
  const behind = await harvest(context, plain, plain.servers.filter(isViewed));
  return fleetOf(plain, [...fleet.servers, ...behind], fleet.isCached, undefined, context.env);
}

/** The tools that the settings `tools.allow` and `tools.deny` offer. */
export function offeredIn(config: GatewayConfig, { servers }: Fleet): Fleet['tools'] {
  const { settings, ...plain } = plainConfig(config);
  const { tools } = config.settings;
  return fleetOf({ ...plain, settings: { ...settings, tools } }, servers, true).tools;
}

/** Whether they offer one of them. */
export function isOffered(config: GatewayConfig, fleet: Fleet, canonical: string): boolean {
  return offeredIn(config, fleet).has(canonical);
}

function viewedIn({ servers }: GatewayConfig): ReadonlySet<string> {
  return new Set(servers.filter(({ settings }) => settings.view !== 'flat').map(({ key }) => key));
}

function plainConfig(config: GatewayConfig): GatewayConfig {
  const { settings, ...open } = unguarded(config);
  const { policy: _, roles: __, ...others } = settings;
  const servers = open.servers.map(withAllTools);
  return { ...open, servers, settings: { ...others, tools: { deny: [] } } };
}

/** Without the lists in its entry that switch tools off. */
function withAllTools(server: ServerConfig): ServerConfig {
  const { written } = server;
  if (written === undefined) return server;
  return { ...server, written: { ...written, entry: withoutToolLists(written.entry) } };
}
