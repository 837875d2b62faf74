/** A gateway that starts itself would start itself again: each one tells its children where they stand. */

import { realpathSync } from 'node:fs';
import { delimiter } from 'node:path';

/** Names the configurations of the gateways that we run inside of. */
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

/** A pipe that a shell passes for a file has none. */
function realPath(file: string): string {
  try {
    return realpathSync(file);
  } catch {
    return file;
  }
}
