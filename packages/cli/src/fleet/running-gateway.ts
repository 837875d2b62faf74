/** A gateway that runs for the length of one command. */

import { setImmediate as nextTurn, setTimeout as sleep } from 'node:timers/promises';

import { createGateway } from '@callsign/gateway';
import type { Gateway, GatewayConfig, GatewayOptions } from '@callsign/gateway';

import { extendChain } from './chain.js';
import type { Context } from '../command/command.js';
import { EndSignal } from '../command/end-signal.js';
import { EXIT } from '../command/exit-code.js';
import { Failure, interruption } from '../command/failure.js';
import { answerLoose } from './loose-question.js';
import { counted } from '@callsign/terminal';
import { VERSION } from '../command/version.js';

export const SELF: GatewayOptions['self'] = {
  name: 'callsign',
  title: 'Callsign',
  version: VERSION,
};

/** Work with servers that run; the signal tells it that somebody has broken it off. */
export type RunningWork<T> = (gateway: Gateway, signal: AbortSignal) => Promise<T>;

/** Starts the servers, waits until each is up or given up, works with them, ends them. */
export async function withRunning<T>(
  context: Context,
  config: GatewayConfig,
  work: RunningWork<T>,
): Promise<T> {
  const chain = extendChain(context.file, context.env);
  if ('wrong' in chain) {
    throw new Failure({ exit: EXIT.config, code: 'nested-in-itself', message: chain.wrong });
  }
  const log = context.verbose ? context.stderr.log : () => undefined;
  const gateway = await createGateway(withOneMoreTry(config), {
    self: SELF,
    log,
    chain: chain.env,
  }).catch(({ message }: Error) => {
    throw new Failure({ exit: EXIT.config, code: 'invalid-config', message });
  });
  gateway.answerLoose = (question, server) => answerLoose([], question, server);
  const progress = context.wait(`Starting ${counted(config.servers.length, 'server')}`);
  const signals = new EndSignal(() => undefined);
  const halt = new AbortController();
  const interrupted = signals.asked.then(() => {
    halt.abort();
    throw interruption();
  });
  const done = async (): Promise<T> => {
    gateway.start();
    await decided(gateway);
    progress.end();
    return work(gateway, halt.signal);
  };
  try {
    return await Promise.race([done(), interrupted]);
  } finally {
    progress.end();
    // What was cancelled is told to its server in the next turn of the event loop.
    if (halt.signal.aborted) await nextTurn();
    await gateway.stop();
    signals.release();
  }
}

/** A server that fails gets a second chance, since some cannot bear our first question, and no third. */
function withOneMoreTry(config: GatewayConfig): GatewayConfig {
  const restart = { initialMs: 50, maxMs: 50, giveUpAfter: 2 };
  return { ...config, settings: { ...config.settings, restart } };
}

const LOOK_MS = 20;

/** Resolves when every server is up, or given up. */
async function decided(gateway: Gateway): Promise<void> {
  await gateway.settled();
  const isOpen = (): boolean =>
    gateway.status().some(({ state: { is } }) => is === 'starting' || is === 'waiting');
  while (isOpen()) await sleep(LOOK_MS);
}
