/** Decides whether the gateway may listen on an address with this configuration. */

import { isLoopback } from '@callsign/outbound';

import type { AuthSettings } from './auth-settings.js';

/**
 * Why it may not, with advice; `undefined` if it may. `isOpenOnPurpose`: the operator explicitly
 * allowed access without authentication.
 */
export function mayListen(
  host: string,
  auth: AuthSettings | undefined,
  isOpenOnPurpose: boolean,
): string | undefined {
  if (auth !== undefined || isOpenOnPurpose || isLoopback(host)) return undefined;
  return (
    `${host} can be reached from other machines, and callers would not be authenticated. ` +
    'Set callsign.auth, listen on 127.0.0.1, ' +
    'or add --allow-unauthenticated if everyone may call every tool.'
  );
}
