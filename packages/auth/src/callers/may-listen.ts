/** Whether an address may be served as it is configured. */

import { isLoopback } from '@callsign/outbound';

import type { AuthSettings } from './auth-settings.js';

/**
 * The reason for which it may not, with what to do; `undefined` if it may. `isOpenOnPurpose` is the
 * operator's word, given where it cannot be overlooked, that nobody is to be asked who he is.
 */
export function mayListen(
  host: string,
  auth: AuthSettings | undefined,
  isOpenOnPurpose: boolean,
): string | undefined {
  if (auth !== undefined || isOpenOnPurpose || isLoopback(host)) return undefined;
  return (
    `${host} can be reached from other machines, and nobody there would be asked who he is. ` +
    'Say under callsign.auth who may call, listen on 127.0.0.1, ' +
    'or add --allow-unauthenticated if everybody may call every tool.'
  );
}
