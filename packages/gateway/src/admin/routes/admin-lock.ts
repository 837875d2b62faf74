/** Shows the lock of a running gateway: accepted definitions and what has changed since. */

import { visibleText, type Item } from '@callsign/core';
import {
  judgedItems,
  judgedKind,
  type JudgedOffer,
  judgedOwnName,
  lockFileOf,
  type Standing,
  ToolLock,
  wholeDefinitionOf,
} from '@callsign/governance';
import { indented } from '@callsign/terminal/indented-json';

import type { Gateway } from '../../gateway/gateway.js';
import type { LockData, LockedTool } from '../data/admin-data.js';
import { AdminError } from '../router/admin-error.js';
import { offeredTools } from './server-routes.js';

/** The longest definition that a page gets, in characters. */
const MAX_DEFINITION = 20_000;

export function showLock(gateway: Gateway): LockData {
  const lock = openLock(gateway);
  const tools = offeredTools(gateway).flatMap((offered) => {
    const { key: server } = offered;
    const items = itemsOf(offered);
    // A server that is down offers nothing, but its tools are not gone.
    if (items.length === 0) return [];
    const byName = new Map(items.map((item) => [item.name, item]));
    return lock.status(server, items).map(({ tool, standing }): LockedTool => {
      const item = byName.get(tool);
      const difference = standing.is === 'changed' ? standing.difference : [];
      const texts = item ? definitionsOf(lock, server, item, standing) : {};
      const thing = { kind: judgedKind(tool), name: judgedOwnName(tool) };
      return { server, tool, ...thing, standing: standing.is, difference, ...texts };
    });
  });
  return { mode: gateway.config.settings.lock, file: lock.file, tools };
}

/** Accepts one tool of a server as it is now, or all of them. The instructions have an empty name. */
export async function acceptTools(
  gateway: Gateway,
  server: string,
  tool: string | undefined,
): Promise<LockData> {
  const items = itemsOf(gateway.servers.offered(server));
  if (items.length === 0) {
    throw new AdminError(409, `${server} offers nothing now, so there is nothing to accept.`);
  }
  await openLock(gateway).accept(server, items, tool);
  return showLock(gateway);
}

/** Empty for a server that is down: its tools are unknown, not gone. */
function itemsOf(offer: JudgedOffer): readonly Item[] {
  const { tools, prompts = [], templates = [], instructions } = offer;
  const isEmpty = tools.length + prompts.length + templates.length === 0;
  return isEmpty && instructions === undefined ? [] : judgedItems(offer);
}

/** Both definitions side by side, only if they differ. */
function definitionsOf(
  lock: ToolLock,
  server: string,
  item: Item,
  { is }: Standing,
): Pick<LockedTool, 'accepted' | 'now'> {
  const accepted = lock.tools(server)?.get(item.name)?.definition;
  if (is !== 'changed' || accepted === undefined) return {};
  return { accepted: shown(accepted), now: shown(wholeDefinitionOf(item).text) };
}

function shown(json: string): string {
  return visibleText(indented(json), MAX_DEFINITION);
}

function openLock({ config, shared }: Gateway): ToolLock {
  try {
    return new ToolLock(shared.stateStores.lockAt(lockFileOf(config.file)));
  } catch (error) {
    throw new AdminError(500, (error as Error).message);
  }
}
