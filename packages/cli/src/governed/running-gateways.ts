/** The gateways of this user that run, as a command reaches them through their owner's listener. */

import { AdminError, findGateways, type AdminClient } from '@callsign/gateway';
import { stateFolder } from '@callsign/config';

import type { Context } from '../command/command.js';
import { EXIT } from '../command/exit-code.js';
import { Failure } from '../command/failure.js';
import { homeIn } from '../fleet/catalogue.js';

/** A configuration that was typed names the gateways that are meant; otherwise all are. */
export interface GatewayWords {
  readonly config?: string;
}

/** At least one; there is nothing to ask where none runs. */
export async function requireGateways(
  { file, env }: Context,
  { config }: GatewayWords,
): Promise<AdminClient[]> {
  const state = stateFolder(homeIn(env));
  const gateways = await findGateways(config === undefined ? { state } : { state, config: file });
  if (gateways.length > 0) return gateways;
  const which = config === undefined ? '' : ` ${file}`;
  const message = `No gateway runs${which}. Start one with: callsign serve`;
  throw new Failure({ exit: EXIT.unreachable, code: 'no-gateway', message });
}

/** What a gateway refuses is the fault of what was asked, unless the gateway itself is gone. */
export async function asked<T>(answer: Promise<T>): Promise<T> {
  try {
    return await answer;
  } catch (error) {
    if (!(error instanceof AdminError)) throw error;
    const { status, message } = error;
    throw status === GONE
      ? new Failure({ exit: EXIT.unreachable, code: 'no-gateway', message })
      : new Failure({ exit: EXIT.usage, code: 'refused', message });
  }
}

const GONE = 503;
