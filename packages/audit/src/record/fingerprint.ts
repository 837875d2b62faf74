/** The fingerprint of arguments. It is the same for arguments that are written in the same way. */

import { hash } from 'node:crypto';

import { JsonScan, NO_MORE } from '@callsign/core';

export function fingerprintOf(argumentsJson: string): string {
  return `sha256:${hash('sha256', argumentsJson)}`;
}

/**
 * The text of the arguments in the parameters. Of several, the last counts, as with `JSON.parse`.
 */
export function argumentsIn(params: string): string | undefined {
  // False: the listener has already refused control characters inside strings.
  const scan = new JsonScan(params, false);
  let found: string | undefined;
  let at = scan.firstMember(scan.skipSpace(0));
  while (at >= 0) {
    const isFound = scan.key === 'arguments';
    const end = scan.skipValue(at);
    if (isFound) found = params.slice(at, end);
    at = scan.nextMember(end);
  }
  return at === NO_MORE ? found : undefined;
}
