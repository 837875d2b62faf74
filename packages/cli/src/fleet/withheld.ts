/** Finds the tools that servers offer and no caller gets, and why. */

import { isSwitchedOn, toolListsOf } from '@callsign/config';
import type { Entry } from '@callsign/core';
import type { GatewayConfig } from '@callsign/gateway/host';
import { createRoles, fileLock, lockFileOf, withheldTools } from '@callsign/governance';
import type { ToolRef } from '@callsign/naming';

import type { Context } from '../command/command.js';
import { withStateStoresOf } from './state-stores.js';
import type { OfferedServer } from './offered-server.js';

/** Canonical name → why the lock file or the quarantine withholds the tool. */
export type Withheld = ReadonlyMap<string, string>;

const NONE: Withheld = new Map();

/** Judges these lists as a gateway with this configuration would. */
export function withheldIn(
  context: Context,
  config: GatewayConfig,
  offered: readonly OfferedServer[],
): Promise<Withheld> {
  const { lock, quarantine } = config.settings;
  const servers = config.servers.map(({ key, settings }) => {
    const tools = offered.find((server) => server.key === key)?.tools ?? [];
    return { key, trust: settings.trust, tools };
  });
  return withStateStoresOf(context, config, async (stores) => {
    const file = lockFileOf(config.file);
    const store = stores?.lockAt(file) ?? fileLock(file);
    return withheldTools({ lock, quarantine, store, servers }).catch(({ message }: Error) => {
      context.stderr.log('warning', message);
      return NONE;
    });
  });
}

/** Whether the entry of a server switches a tool off, in the words of some client. */
export function isSwitchedOff({ servers }: GatewayConfig, { server, tool }: ToolRef): boolean {
  const entry = servers.find(({ key }) => key === server)?.written?.entry;
  return entry !== undefined && !isSwitchedOn(toolListsOf(entry), tool);
}

/** Whether the roles hide a tool from a caller without a key. */
export function isHiddenByRoles({ settings }: GatewayConfig, entry: Entry): boolean {
  return createRoles(settings)?.sees(undefined, entry) === false;
}
