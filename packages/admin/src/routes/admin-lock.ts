/** The lock file of a running gateway: which definitions were accepted, and what has changed since. */

import { judgedItems, lockFileOf, ToolLock } from '@callsign/governance';

import type { Gateway } from '@callsign/gateway';

import type { LockData, LockedTool } from '../data/admin-data.js';
import { AdminError } from '../router/admin-router.js';
import { offeredTools } from './server-routes.js';

export function showLock(gateway: Gateway): LockData {
  const lock = openLock(gateway);
  const tools = offeredTools(gateway).flatMap(({ key: server, tools: items, instructions }) =>
    // A server that is down offers nothing, and its tools are not gone.
    items.length === 0
      ? []
      : lock
          .status(server, judgedItems(items, instructions))
          .map(({ tool, standing }): LockedTool => {
            const difference = standing.is === 'changed' ? standing.difference : [];
            return { server, tool, standing: standing.is, difference };
          }),
  );
  return { mode: gateway.config.settings.lock, file: lock.file, tools };
}

/** Accepts one tool of a server as it is now, or all of them. */
export async function acceptTools(
  gateway: Gateway,
  server: string,
  tool: string | undefined,
): Promise<LockData> {
  const { tools, instructions } = gateway.servers.offered(server);
  if (tools.length === 0) {
    throw new AdminError(409, `${server} offers no tools now, so there is nothing to accept.`);
  }
  await openLock(gateway).accept(server, judgedItems(tools, instructions), tool);
  return showLock(gateway);
}

function openLock({ config }: Gateway): ToolLock {
  try {
    return new ToolLock(lockFileOf(config.file));
  } catch (error) {
    throw new AdminError(500, (error as Error).message);
  }
}
