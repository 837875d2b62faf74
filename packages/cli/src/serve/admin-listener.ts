/** The owner's listener to a running gateway: what waits for approval, how it is, and a wish to reload. */

import { AdminRouter, AdminServer, serveApprovals } from '@callsign/gateway';
import type { Gateway, Reloader } from '@callsign/gateway';
import type { Log } from '@callsign/core';

import { VERSION } from '../command/version.js';

export interface AdminDoorOptions {
  readonly gateway: Gateway;
  readonly reloader: Reloader;
  readonly health: () => object;
  readonly log: Log;
}

export interface AdminListener {
  close(): Promise<void>;
}

/** A gateway that cannot open it serves all the same. */
export function openAdminListener({
  gateway,
  reloader,
  health,
  log,
}: AdminDoorOptions): AdminListener {
  const router = new AdminRouter();
  serveApprovals(router, gateway.approvals);
  router.on('GET', '/status', health);
  router.on('POST', '/reload', () => reloader.look());
  const identity = { pid: process.pid, config: gateway.config.file, version: VERSION };
  const server = new AdminServer({ identity, router });
  const opened = server.open().catch((error: Error) => {
    log('warning', `Commands cannot reach this gateway: ${error.message}`);
  });
  return {
    async close() {
      await opened;
      await server.close();
    },
  };
}
