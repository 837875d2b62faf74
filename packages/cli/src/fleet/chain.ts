/**
 * Stops a gateway that would start itself without end. Each gateway tells its servers, in a variable, which
 * gateways run above them.
 */

import { realpathSync } from 'node:fs';
import { delimiter } from 'node:path';

/** Lists the configurations of the gateways above this one, the outermost first. */
const CHAIN = 'CALLSIGN_CHAIN';
const MAX_DEPTH = 8;

/**
 * The variable for the servers of the gateway with this configuration, or why it must not start.
 */
export function extendChain(
  config: string,
  environment: Readonly<Record<string, string | undefined>>,
): { readonly env: Record<string, string> } | { readonly wrong: string } {
  const file = realPath(config);
  const outer = (environment[CHAIN] ?? '').split(delimiter).filter((part) => part !== '');
  if (outer.includes(file)) {
    const advice = 'remove it from the configuration';
    return { wrong: `This gateway is one of its own servers (${file}); ${advice}.` };
  }
  if (outer.length >= MAX_DEPTH) {
    return { wrong: `Gateways are nested ${outer.length} deep, which is the limit.` };
  }
  return { env: { [CHAIN]: [...outer, file].join(delimiter) } };
}

/** A file without a real path, such as a pipe from a shell, is used as given. */
function realPath(file: string): string {
  try {
    return realpathSync(file);
  } catch {
    return file;
  }
}
