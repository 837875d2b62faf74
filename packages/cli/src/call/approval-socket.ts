/** The admin socket of a gateway for one call, so that another terminal can approve it. */

import { homeIn, stateFolder } from '@callsign/config';
import { type Gateway } from '@callsign/gateway/host';
import { AdminRouter, AdminServer, serveApprovals } from '@callsign/gateway/admin';

import type { Context } from '../command/command.js';
import { VERSION } from '../command/version.js';

/** Returns a function that closes it. The call goes on if it cannot be opened. */
export async function openApprovalSocket(
  { file, env, stderr }: Context,
  { shared }: Gateway,
): Promise<() => Promise<void>> {
  const router = new AdminRouter();
  serveApprovals(router, shared.queue);
  const identity = { pid: process.pid, config: file, version: VERSION, isBrief: true };
  const server = new AdminServer({ identity, router, state: stateFolder(homeIn(env)) });
  try {
    await server.open();
  } catch (error) {
    stderr.log('warning', `Approvals cannot reach this call: ${(error as Error).message}`);
  }
  return () => server.close();
}
