/** The owner's listener to a running gateway: the admin API on a socket. */

import { AdminServer, type AdminRouter, type Gateway } from '@callsign/gateway';
import type { Log } from '@callsign/core';

import { VERSION } from '../command/version.js';

export interface AdminListenerOptions {
  readonly gateway: Gateway;
  readonly router: AdminRouter;
  readonly log: Log;
}

export interface AdminListener {
  close(): Promise<void>;
}

/** A gateway that cannot open it serves all the same. */
export function openAdminListener({ gateway, router, log }: AdminListenerOptions): AdminListener {
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
