/** Where people's accounts are kept: in a file of this user, or in a store that instances share. Both encrypt them. */

import type { RemoteEntry, SignInRecord } from '../sign-in/sign-in-record.js';
import type { SignInStore } from '../sign-in/sign-in-store.js';
import type { Account, AccountPlace } from './account.js';

/** Implemented as a file and in Postgres. A person has at most one account at a server. */
export interface AccountStore {
  /** Rejects, with advice, if accounts could not be stored. */
  probe(): Promise<void>;
  /** All that this process can know without waiting. The same list until something changes. */
  list(): readonly Account[];
  /** The account as it is stored now. */
  read(place: AccountPlace): Promise<Account | undefined>;
  /**
   * Changes one account, one process at a time. `change` gets what is stored; `undefined`: there is none, or it is to be
   * removed. Rejects, with advice, if it cannot be stored.
   */
  change(
    place: AccountPlace,
    change: (before: Account | undefined) => Account | undefined,
  ): Promise<void>;
  /** Runs `run` while no other process does something for this account. */
  alone<T>(place: AccountPlace, run: () => Promise<T>): Promise<T>;
  /** Calls back when accounts may have changed. Returns a function that stops it. */
  watch(listener: () => void): () => void;
}

/** What renewing and revoking need of a store. */
export type AccountSignIns = Pick<SignInStore, 'alone' | 'find' | 'remove' | 'save'>;

/**
 * The sign-in of one account, in the form in which tokens are renewed and revoked. If the person has removed or replaced it, there is
 * no sign-in, and nothing is stored.
 */
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
