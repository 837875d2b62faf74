/** Runs a gateway for the length of one command. */

import { setTimeout as sleep } from 'node:timers/promises';

import type { Log } from '@callsign/core';
import {
  createGateway,
  type Gateway,
  type GatewayConfig,
  type GatewayOptions,
} from '@callsign/gateway/host';
import { counted } from '@callsign/terminal';

import type { Context } from '../command/command.js';
import { EXIT } from '../command/exit-code.js';
import { Failure } from '../command/failure.js';
import { interruptible } from '../command/interruptible.js';
import type { Stderr } from '../command/stderr.js';
import { VERSION } from '../command/version.js';
import { extendChain } from './chain.js';
import { withStateStoresOf } from './state-stores.js';
import { answerLoose } from './loose-question.js';

/** How a gateway of a command introduces itself to servers. */
export const SELF: GatewayOptions['self'] = {
  name: 'callsign',
  title: 'Callsign',
  version: VERSION,
};

/** Work with running servers. The signal aborts when the user presses Ctrl-C. */
export type RunningWork<T> = (gateway: Gateway, signal: AbortSignal) => Promise<T>;

/** Starts the servers, waits until each is ready or given up, runs the work, and ends them. */
export function withRunning<T>(
  context: Context,
  config: GatewayConfig,
  work: RunningWork<T>,
  options: Pick<GatewayOptions, 'isFresh' | 'watch'> = {},
): Promise<T> {
  return withStateStoresOf(context, config, (stores) =>
    running(context, config, work, { ...options, stateStores: stores }),
  );
}

async function running<T>(
  context: Context,
  config: GatewayConfig,
  work: RunningWork<T>,
  options: Pick<GatewayOptions, 'isFresh' | 'stateStores' | 'watch'>,
): Promise<T> {
  const chain = extendChain(context.file, context.env);
  if ('wrong' in chain) {
    throw new Failure({ exit: EXIT.config, code: 'nested-in-itself', message: chain.wrong });
  }
  const { stderr, verbose } = context;
  const say = saidOnce(stderr);
  const log: Log = (level, message) => {
    if (verbose || !isOfServer(message)) say(level, message);
  };
  const gateway = await createGateway(withOneMoreTry(config), {
    self: SELF,
    log,
    env: context.env,
    cwd: context.cwd,
    chain: chain.env,
    isBrief: true,
    ...options,
  }).catch(({ message }: Error) => {
    throw new Failure({ exit: EXIT.config, code: 'invalid-config', message });
  });
  gateway.answerLoose = (question, server) => answerLoose([], question, server);
  const progress = context.wait(`Starting ${counted(config.servers.length, 'server')}`);
  const done = async (signal: AbortSignal): Promise<T> => {
    gateway.start(true);
    await decided(gateway);
    progress.end();
    return work(gateway, signal);
  };
  return interruptible(done, async () => {
    progress.end();
    await gateway.stop();
  });
}

/** Lines of one server begin with its key. Commands say themselves which servers failed, and why. */
function isOfServer(message: string): boolean {
  return message.startsWith('[');
}

/**
 * A server that fails soon is started once more: some exit at the message that probes their protocol
 * era. A server that does not answer is not: the command would wait twice.
 */
function withOneMoreTry(config: GatewayConfig): GatewayConfig {
  const restart = { initialMs: 50, maxMs: 50, giveUpAfter: 2 };
  return { ...config, settings: { ...config.settings, restart } };
}

const LOOK_MS = 20;

/** Resolves when every server is ready or given up. */
async function decided(gateway: Gateway): Promise<void> {
  await gateway.settled();
  const isOpen = (): boolean =>
    gateway.status().some(({ state: { is } }) => is === 'starting' || is === 'waiting');
  while (isOpen()) await sleep(LOOK_MS);
}

/** What was written so far, by command. */
const written = new WeakMap<Stderr, Set<string>>();

/** A log for a gateway of a command. Another gateway of the command may have said the same. */
function saidOnce(stderr: Stderr): Log {
  const known = written.get(stderr) ?? new Set();
  written.set(stderr, known);
  const before = new Set(known);
  return (level, message) => {
    known.add(message);
    if (!before.has(message)) stderr.log(level, message);
  };
}
