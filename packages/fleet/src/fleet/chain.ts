/**
 * Stops a gateway that starts itself again and again: each gateway tells its servers the chain that they run
 * in.
 */

import { realpathSync } from 'node:fs';
import { delimiter } from 'node:path';

/** Lists the configurations of the gateways that this one runs inside of. */
const CHAIN = 'CALLSIGN_CHAIN';
const MAX_DEPTH = 8;

/** The variable for children of the gateway with this configuration, or why there must be none. */
export function extendChain(
  config: string,
  environment: Readonly<Record<string, string | undefined>>,
): { readonly env: Record<string, string> } | { readonly wrong: string } {
  const file = realPath(config);
  const outer = (environment[CHAIN] ?? '').split(delimiter).filter((part) => part !== '');
  if (outer.includes(file)) {
    const advice = 'remove it from the configuration';
    return { wrong: `This gateway is among its own servers (${file}); ${advice}.` };
  }
  if (outer.length >= MAX_DEPTH) {
    return { wrong: `Gateways are nested ${outer.length} deep; that is too deep.` };
  }
  return { env: { [CHAIN]: [...outer, file].join(delimiter) } };
}

/** A pipe that a shell passes as a file has no path. */
function realPath(file: string): string {
  try {
    return realpathSync(file);
  } catch {
    return file;
  }
}
