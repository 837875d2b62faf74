/** The running gateways of this user, as a command reaches them over their admin sockets. */

import { findGateways, type AdminClient } from '@callsign/gateway';
import { stateFolder } from '@callsign/config';

import type { Context } from '../command/command.js';
import { EXIT } from '../command/exit-code.js';
import { Failure } from '../command/failure.js';
import { homeIn } from '../fleet/catalogue.js';
import { adminFailure } from '../fleet/live-gateway.js';

/** `--config` names the gateways that are meant. Unset: all of them. */
export interface GatewayWords {
  readonly config?: string;
}

/** At least one. Throws if none runs. */
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

/** The answer, or a failure with the gateway's reason. */
export async function asked<T>(answer: Promise<T>): Promise<T> {
  try {
    return await answer;
  } catch (error) {
    throw adminFailure(error);
  }
}
