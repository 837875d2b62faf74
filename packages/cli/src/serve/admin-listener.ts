/** The admin socket of a served gateway. */

import { homeIn, stateFolder } from '@callsign/config';
import type { Log } from '@callsign/core';
import type { Gateway } from '@callsign/gateway/host';
import { AdminServer, type AdminRouter, type GatewayStatus } from '@callsign/gateway/admin';

import type { Shell } from '../command/shell.js';
import { VERSION } from '../command/version.js';

const UNWRITABLE: ReadonlySet<string> = new Set(['EACCES', 'ENOTDIR', 'EPERM', 'EROFS']);

export interface AdminListenerOptions {
  readonly gateway: Gateway;
  readonly router: AdminRouter;
  readonly status: () => GatewayStatus;
  readonly log: Log;
  readonly env: Shell['env'];
  readonly isBackground: boolean;
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
  env,
  isBackground,
}: AdminListenerOptions): AdminListener {
  const { startedAt, url } = status();
  const identity = {
    pid: process.pid,
    config: gateway.config.file,
    version: VERSION,
    startedAt,
    ...(url === undefined ? {} : { url }),
    ...(isBackground ? { isBackground } : {}),
  };
  const state = stateFolder(homeIn(env));
  const server = new AdminServer({ identity, router, state });
  const opened = server.open().catch((error: Error) => {
    log('warning', `Commands cannot reach this gateway: ${reasonFor(error, state)}`);
  });
  return {
    async close() {
      await opened;
      await server.close();
    },
  };
}

function reasonFor({ code = '', message }: NodeJS.ErrnoException, state: string): string {
  if (!UNWRITABLE.has(code)) return message;
  return `${state} cannot be written. Set XDG_STATE_HOME to a folder that you can write.`;
}
