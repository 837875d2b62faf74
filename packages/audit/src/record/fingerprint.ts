/** The fingerprint of arguments: equal for arguments that are written the same. */

import { hash } from 'node:crypto';

import { JsonScan, NO_MORE } from '@callsign/core';

export function fingerprintOf(argumentsJson: string): string {
  return `sha256:${hash('sha256', argumentsJson)}`;
}

/** The text of the arguments in the parameters; the last of several, as in `JSON.parse`. */
export function argumentsIn(params: string): string | undefined {
  // The listener has checked for control characters.
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
