/** The gateways in the background, for the commands that stop and restart them. */

import { setTimeout as sleep } from 'node:timers/promises';

import { homeIn, stateFolder } from '@callsign/config';
import { type AdminClient, findGateways } from '@callsign/gateway/admin';

import type { Context } from '../command/command.js';
import { EXIT } from '../command/exit-code.js';
import { Failure } from '../command/failure.js';

/** Longer than a gateway gives its calls to finish. */
const PATIENCE_MS = 75_000;
const LOOK_MS = 25;

/** Those of this configuration, or of all configurations. */
export async function backgroundGateways(context: Context, isAll: boolean): Promise<AdminClient[]> {
  const found = await runningGateways(context, isAll);
  return found.filter(({ identity }) => identity.isBackground);
}

/** The other gateways of this configuration that serve clients: those in a terminal, or of one client. */
export async function otherGateways(context: Context): Promise<AdminClient[]> {
  const found = await runningGateways(context, false);
  return found.filter(({ identity }) => !identity.isBackground && !identity.isBrief);
}

function runningGateways({ file, env }: Context, isAll: boolean): Promise<AdminClient[]> {
  const state = stateFolder(homeIn(env));
  return findGateways(isAll ? { state } : { state, config: file });
}

/** Asks a gateway to end, and waits until it has. Its calls may finish. */
export async function stopGateway({ identity: { pid, config } }: AdminClient): Promise<void> {
  // It may have ended since it was found.
  if (isRunning(pid)) process.kill(pid, 'SIGTERM');
  for (const end = Date.now() + PATIENCE_MS; isRunning(pid); await sleep(LOOK_MS)) {
    if (Date.now() < end) continue;
    const message = `The gateway of ${config} (process ${pid}) does not end. To end it by force: kill -9 ${pid}`;
    throw new Failure({ exit: EXIT.unreachable, code: 'still-running', message });
  }
}

function isRunning(pid: number): boolean {
  try {
    process.kill(pid, 0);
    return true;
  } catch {
    return false;
  }
}
