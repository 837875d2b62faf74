/** The admin socket of a served gateway. */

import { stateFolder } from '@callsign/config';
import type { Log } from '@callsign/core';
import type { Gateway } from '@callsign/gateway/host';
import { AdminServer, type AdminRouter, type GatewayStatus } from '@callsign/gateway/admin';

import { VERSION } from '../command/version.js';

const UNWRITABLE: ReadonlySet<string> = new Set(['EACCES', 'ENOTDIR', 'EPERM', 'EROFS']);

export interface AdminListenerOptions {
  readonly gateway: Gateway;
  readonly router: AdminRouter;
  readonly status: () => GatewayStatus;
  readonly log: Log;
}

export interface AdminListener {
  close(): Promise<void>;
}

/** Never throws: a gateway without an admin socket still serves, and a warning is logged. */
export function openAdminListener({
  gateway,
  router,
  status,
  log,
}: AdminListenerOptions): AdminListener {
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
    log('warning', `Commands cannot reach this gateway: ${reasonFor(error)}`);
  });
  return {
    async close() {
      await opened;
      await server.close();
    },
  };
}

function reasonFor({ code = '', message }: NodeJS.ErrnoException): string {
  if (!UNWRITABLE.has(code)) return message;
  return `${stateFolder()} cannot be written. Set XDG_STATE_HOME to a folder that you can write.`;
}
