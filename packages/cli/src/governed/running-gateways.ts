/** Finds the running gateways of this user by their admin sockets. */

import { homeIn, stateFolder } from '@callsign/config';
import { type AdminClient, findGateways } from '@callsign/gateway/admin';

import type { Context } from '../command/command.js';
import { EXIT } from '../command/exit-code.js';
import { Failure } from '../command/failure.js';
import { adminFailure } from '../fleet/live-gateway.js';

/** `--config` names the gateways that are meant. Default: all of them. */
export interface GatewayWords {
  readonly config?: string;
}

/** At least one. Throws if none runs. `withBrief`: including those that run for one `callsign call`. */
export async function requireGateways(
  { file, env }: Context,
  { config }: GatewayWords,
  withBrief = true,
): Promise<AdminClient[]> {
  const state = stateFolder(homeIn(env));
  const meant = config === undefined ? { state } : { state, config: file };
  const found = await findGateways(meant).catch(({ message }: Error) => {
    throw new Failure({ exit: EXIT.usage, code: 'state-folder', message });
  });
  const gateways = withBrief ? found : found.filter(({ identity }) => identity.isBrief !== true);
  if (gateways.length > 0) return gateways;
  const which = config === undefined ? '' : ` ${file}`;
  const message = `No gateway runs${which}. A client that uses Callsign starts one. To start one yourself: callsign serve --http`;
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
