/** Signs out of a server: deletes the tokens in any case, and revokes them if possible. */

import { isSafeAddress } from '../callers/safe-address.js';
import type { OutboundFetch } from '../network/outbound-fetch.js';
import type { SignInStore } from './sign-in-store.js';
import type { RemoteEntry, SignInRecord } from './sign-in-record.js';

/** `forgotten`: our tokens are deleted, but the authorization server may still accept them. */
export type SignedOut = 'revoked' | 'forgotten' | 'was-not-signed-in';

/** Our tokens are deleted even if the authorization server cannot be reached to revoke them. */
export async function signOut(
  server: RemoteEntry,
  {
    store,
    fetch,
  }: {
    readonly store: Pick<SignInStore, 'alone' | 'find' | 'remove'>;
    readonly fetch: OutboundFetch;
  },
): Promise<SignedOut> {
  // Not during a renewal: its new tokens would stay.
  return store.alone(server, async () => {
    const record = await store.find(server);
    if (!record) return 'was-not-signed-in';
    await store.remove(server);
    return (await isRevoked(record, fetch)) ? 'revoked' : 'forgotten';
  });
}

/** Asks the authorization server to refuse the tokens of a sign-in from now on. Never rejects. */
export async function isRevoked(record: SignInRecord, fetch: OutboundFetch): Promise<boolean> {
  const endpoint = record.metadata?.['revocation_endpoint'];
  if (typeof endpoint !== 'string' || !isSafeAddress(endpoint)) return false;
  const { client, refreshToken, accessToken } = record;
  const tokens = [
    ...(refreshToken === undefined ? [] : [['refresh_token', refreshToken] as const]),
    ['access_token', accessToken] as const,
  ];
  const answers = tokens.map(async ([hint, token]) => {
    const body = new URLSearchParams({ token, token_type_hint: hint, client_id: client.client_id });
    if (client.client_secret !== undefined) body.set('client_secret', client.client_secret);
    return fetch(endpoint, { method: 'POST', body });
  });
  const answered = await Promise.allSettled(answers);
  return answered.every((each) => each.status === 'fulfilled' && each.value.ok);
}
