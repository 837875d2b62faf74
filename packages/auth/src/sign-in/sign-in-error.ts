/** Why a sign-in failed, without secrets: answers of servers may repeat what was sent. */

import { AddressRefused } from '@callsign/outbound';

/** Failures of the OAuth library that people can do something about, by name. */
const WORDS: ReadonlyMap<string, string> = new Map([
  ['IssuerMismatchError', 'its authorization server does not name itself as the issuer'],
  ['AuthorizationServerMismatchError', 'its authorization server changed during the sign-in'],
  [
    'RegistrationRejectedError',
    'its authorization server does not let us register; set "clientId"',
  ],
  ['InsecureTokenEndpointError', 'its authorization server would get secrets without encryption'],
  ['TimeoutError', 'its authorization server did not answer in time'],
]);

/** `reason` is a clause about the server, without a full stop. */
export class SignInError extends Error {
  override readonly name = 'SignInError';

  constructor(server: string, reason: string, options?: ErrorOptions) {
    super(`Could not sign in to "${server}": ${reason}.`, options);
  }
}

/** Uses the kind of a failure and its codes, never the text of a server. */
export function reasonOf(error: unknown): string {
  for (let each = error; each instanceof Error; each = each.cause) {
    const known = WORDS.get(each.name);
    if (known !== undefined) return known;
    // Our own error: it names an address and why it is not called.
    if (each instanceof AddressRefused) {
      const advice = /^https?:/.test(each.url?.origin ?? '')
        ? `. If it is in your own network, name ${each.url!.origin} in the setting "network.allowPrivate"`
        : '';
      return `${each.message.replace(/\.$/, '')}${advice}`;
    }
    const { code } = each as { code?: unknown };
    if (typeof code === 'string' && /^(?:[a-z_]{1,40}|E[A-Z_]{1,40})$/.test(code))
      return `it failed with ${code}`;
  }
  return 'its authorization server gave no valid answer';
}
