/** The lock file of a running gateway: which definitions were accepted, and what has changed since. */

import { lockFileOf, ToolLock } from '@callsign/governance';

import type { Gateway } from '../gateway/gateway.js';
import type { LockData, LockedTool } from './admin-data.js';
import { AdminError } from './admin-router.js';

export function showLock(gateway: Gateway): LockData {
  const lock = openLock(gateway);
  const tools = gateway.servers.offered().flatMap(({ server, tools: items }) =>
    // A server that is down offers nothing, and its tools are not gone.
    items.length === 0
      ? []
      : lock.status(server, items).map(({ tool, standing }): LockedTool => {
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
  const offered = gateway.servers.offered().find((each) => each.server === server);
  if (!offered || offered.tools.length === 0) {
    throw new AdminError(409, `${server} offers no tools now, so there is nothing to accept.`);
  }
  await openLock(gateway).accept(server, offered.tools, tool);
  return showLock(gateway);
}

function openLock({ config }: Gateway): ToolLock {
  try {
    return new ToolLock(lockFileOf(config.file));
  } catch (error) {
    throw new AdminError(500, (error as Error).message);
  }
}
