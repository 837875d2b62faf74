/** The running gateway of a configuration. Commands ask it before they start a server of their own. */

import { setTimeout as sleep } from 'node:timers/promises';

import { homeIn, stateFolder } from '@callsign/config';
import {
  type AdminClient,
  AdminError,
  findGateways,
  type OfferedTools,
} from '@callsign/gateway/admin';
import type { Command } from 'commander';

import type { Context } from '../command/command.js';
import { EXIT } from '../command/exit-code.js';
import { Failure } from '../command/failure.js';

/** The flags of commands that ask a running gateway. */
export interface LiveWords {
  readonly pid?: string;
}

/** Adds these flags to a command. */
export function describeLive(line: Command): Command {
  return line.option('--pid <pid>', 'ask this running gateway of the configuration');
}

/** Prefers a gateway with an HTTP listener, then the newest. `undefined`: none runs. */
export async function findLive(
  { file, env }: Context,
  { pid }: LiveWords,
): Promise<AdminClient | undefined> {
  const state = stateFolder(homeIn(env));
  const found = await findGateways({ config: file, state }).catch(() => []);
  const serving = found.filter(({ identity }) => identity.isBrief !== true);
  if (pid === undefined) return serving.toSorted(byRank)[0];
  const chosen = serving.find(({ identity }) => String(identity.pid) === pid);
  if (chosen) return chosen;
  const pids = serving.map(({ identity }) => identity.pid).join(', ') || 'none';
  const message = `No gateway with the process id ${pid} runs ${file}. Running: ${pids}.`;
  throw new Failure({ exit: EXIT.unreachable, code: 'no-gateway', message });
}

function byRank({ identity: a }: AdminClient, { identity: b }: AdminClient): number {
  const http = Number(b.url !== undefined) - Number(a.url !== undefined);
  return http || (b.startedAt ?? '').localeCompare(a.startedAt ?? '');
}

const LOOK_MS = 50;

/** The current tools of a running gateway. Waits until its servers, or `only` one, have started. */
export async function liveOffers(
  context: Context,
  live: AdminClient,
  only: string | undefined,
): Promise<OfferedTools[]> {
  const progress = context.wait('Waiting for servers to start');
  try {
    // The gateway may not have noticed a change of the file yet.
    await live.post('/reload?changed');
    for (;;) {
      const offers = (await live.get('/offers')) as OfferedTools[];
      const isStarting = offers.some(
        ({ key, state }) => state.is === 'starting' && (only === undefined || key === only),
      );
      if (!isStarting) return offers;
      await sleep(LOOK_MS);
    }
  } catch (error) {
    throw adminFailure(error);
  } finally {
    progress.end();
  }
}

const GONE = 503;

/**
 * Turns an error of the admin API into a failure: unreachable if the gateway has ended, else usage.
 */
export function adminFailure(error: unknown): unknown {
  if (!(error instanceof AdminError)) return error;
  const { status, message } = error;
  return status === GONE
    ? new Failure({ exit: EXIT.unreachable, code: 'no-gateway', message })
    : new Failure({ exit: EXIT.usage, code: 'refused', message });
}
