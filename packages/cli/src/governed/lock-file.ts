/** Compares the lock file of a configuration with what its servers offer now. */

import { loadConfig, type GatewayConfig } from '@callsign/gateway/host';
import {
  fileLock,
  isInstructions,
  judgedItems,
  lockFileOf,
  ToolLock,
  type LockStore,
  type ToolStanding,
} from '@callsign/governance';
import type { Meaning } from '@callsign/terminal';

import type { Context } from '../command/command.js';
import { EXIT } from '../command/exit-code.js';
import { Failure } from '../command/failure.js';
import { requireConfig } from '../config-file/required-config.js';
import { withStateStores } from '../fleet/state-stores.js';
import { offeredTools, type OfferedTools } from './offered-tools.js';

export interface JudgedTool extends ToolStanding {
  readonly server: string;
}

export const STANDING_TINTS: Readonly<Record<ToolStanding['standing']['is'], Meaning>> = {
  accepted: 'good',
  new: 'warning',
  changed: 'bad',
  gone: 'aside',
};

/** The name of a tool for `--json`. `null`: the instructions of the server. */
export function toolOf(name: string): string | null {
  return isInstructions({ name }) ? null : name;
}

/** Runs work with the lock: from the file beside the configuration, or from the shared database. */
export function withLock<T>(
  context: Context,
  config: GatewayConfig,
  work: (lock: ToolLock) => Promise<T>,
): Promise<T> {
  return withStateStores(context, config, async (stores) => {
    return await work(openLock(stores.lockAt(lockFileOf(config.file))));
  });
}

function openLock(store: LockStore): ToolLock {
  try {
    return new ToolLock(store);
  } catch (error) {
    const { message } = error as Error;
    throw new Failure({ exit: EXIT.config, code: 'cannot-read', message });
  }
}

/**
 * Gives what was accepted for a server to its new key. To be called before the configuration has the
 * new key: a running gateway accepts all tools of a key that is not in the lock.
 */
export async function copyAccepted(context: Context, from: string, to: string): Promise<void> {
  const { file, env } = context;
  const loaded = await loadConfig(file, { env, isLenient: true });
  const copy = (lock: ToolLock): Promise<void> => lock.copy(from, to);
  if (!loaded.ok || !loaded.config.settings.storage) {
    return copy(openLock(fileLock(lockFileOf(file))));
  }
  // Without a lock, a database that cannot be reached must not stand in the way.
  if (loaded.config.settings.lock === 'off') return undefined;
  return withLock(context, await requireConfig(context), copy);
}

/** Every tool of these servers, in the order of the configuration. */
export function judgedTools(
  context: Context,
  config: GatewayConfig,
  only: string | undefined,
): Promise<JudgedTool[]> {
  return withLock(context, config, async (lock) => {
    const offered = await offeredTools(context, config, only);
    return offered.flatMap((each) => judgedIn(lock, each));
  });
}

export function judgedIn(lock: ToolLock, offered: OfferedTools): JudgedTool[] {
  const { server } = offered;
  return lock.status(server, judgedItems(offered)).map((each) => ({ server, ...each }));
}

/** Says that the lock is off, because accepting tools has no effect then. */
export function sayIfOff({ settings }: GatewayConfig, { say }: Context): void {
  if (settings.lock !== 'off') return;
  say(
    'callsign.lock is "off", so gateways ignore this file. To use it, set callsign.lock to "enforce".',
  );
}
