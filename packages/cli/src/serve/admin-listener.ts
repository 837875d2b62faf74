/** The admin socket of a served gateway: status, approvals, calls, servers, reload. */

import {
  AdminRouter,
  AdminServer,
  serveApprovals,
  serveCalls,
  serveServers,
} from '@callsign/gateway';
import type { Gateway, GatewayStatus, Reloader } from '@callsign/gateway';
import type { Log } from '@callsign/core';

import { VERSION } from '@callsign/command/version';

export interface AdminListenerOptions {
  readonly gateway: Gateway;
  readonly reloader: Reloader;
  readonly status: () => GatewayStatus;
  readonly log: Log;
}

export interface AdminListener {
  close(): Promise<void>;
}

/** A gateway that cannot open it serves all the same. */
export function openAdminListener({
  gateway,
  reloader,
  status,
  log,
}: AdminListenerOptions): AdminListener {
  const router = new AdminRouter();
  serveApprovals(router, gateway.shared.desk);
  serveCalls(router, gateway);
  serveServers(router, gateway);
  router.on('GET', '/status', status);
  router.on('POST', '/reload', ({ query }) =>
    query.has('changed') ? reloader.lookIfChanged() : reloader.look(),
  );
  const { startedAt, url } = status();
  const identity = {
    pid: process.pid,
    config: gateway.config.file,
    version: VERSION,
    startedAt,
    ...(url === undefined ? {} : { url }),
  };
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
