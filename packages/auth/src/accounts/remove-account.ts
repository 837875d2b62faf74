/** Removes accounts: they count no longer at once, and their tokens are revoked if possible. */

import type { OutboundFetch } from '../network/outbound-fetch.js';
import { isRevoked } from '../sign-in/sign-out.js';
import type { Account, AccountPlace } from './account.js';
import type { AccountStore } from './account-store.js';

/** Returns false if there was none. Without `fetch`, the tokens are only deleted here. */
export async function removeAccount(
  store: AccountStore,
  place: AccountPlace,
  fetch: OutboundFetch | undefined,
): Promise<boolean> {
  let removed: Account | undefined;
  await store.change(place, (before) => {
    removed = before;
    return undefined;
  });
  if (removed?.signIn && fetch) await isRevoked(removed.signIn, fetch);
  return removed !== undefined;
}
