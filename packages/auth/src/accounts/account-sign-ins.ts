/** The sign-in of one account, in the form in which tokens are renewed and revoked. */

import type { RemoteEntry, SignInRecord } from '../sign-in/sign-in-record.js';
import type { SignInStore } from '../sign-in/sign-in-store.js';
import type { Account } from './account.js';
import type { AccountStore } from './account-store.js';

/** What renewing and revoking need of a store. */
export type AccountSignIns = Pick<SignInStore, 'alone' | 'find' | 'remove' | 'save'>;

/** Of this account only: if the person has removed or replaced it, there is no sign-in, and nothing is stored. */
export function accountSignIns(store: AccountStore, account: Account): AccountSignIns {
  const { id } = account;
  return {
    async find(server: RemoteEntry): Promise<SignInRecord | undefined> {
      const now = await store.read(account);
      const isOurs = now?.id === id && now.signIn?.url === server.url;
      return isOurs && now.server === server.key ? now.signIn : undefined;
    },
    save: (signIn) =>
      store.change(account, (before) => (before?.id === id ? { ...before, signIn } : before)),
    remove: () => store.change(account, (before) => (before?.id === id ? undefined : before)),
    alone: (_, run) => store.alone(account, run),
  };
}
