/** People's accounts at servers, in the database, for all instances. They are encrypted with a secret that it does not have. */

import {
  type Account,
  accountKey,
  type AccountPlace,
  type AccountStore,
  parseAccount,
} from '@callsign/auth';
import type { Clock } from '@callsign/core';

import type { Leases } from '../../leases/leases.js';
import type { PostgresDocuments } from '../documents/postgres-documents.js';
import { SealedDocuments } from '../documents/sealed-documents.js';
import { withLease } from './with-lease.js';

export interface PostgresAccountsOptions {
  readonly documents: PostgresDocuments;
  readonly leases: Leases;
  readonly clock: Clock;
  /** The newest first. Default: accounts can neither be read nor stored. */
  readonly secrets: readonly string[] | undefined;
}

const PREFIX = 'account/';
const LABEL = 'callsign accounts 1';

/** The place of an account is part of its encryption, so one cannot take the place of another. */
export class PostgresAccounts implements AccountStore {
  readonly #options: PostgresAccountsOptions;
  readonly #sealed: SealedDocuments;
  /** Missing after a change. */
  #known: readonly Account[] | undefined;

  constructor(options: PostgresAccountsOptions) {
    this.#options = options;
    const { documents, secrets } = options;
    const words = { one: 'an account', many: 'accounts', again: 'let people link again' };
    this.#sealed = new SealedDocuments({ documents, secrets, prefix: PREFIX, label: LABEL, words });
    this.#sealed.watch(() => {
      this.#known = undefined;
    });
  }

  /** Fails if there are accounts that no secret opens. */
  check(): Promise<void> {
    return this.#sealed.check();
  }

  async probe(): Promise<void> {
    this.#sealed.requireSecret();
  }

  list(): readonly Account[] {
    return (this.#known ??= this.#sealed.names().flatMap((name) => {
      const text = this.#sealed.get(name);
      return text === undefined ? [] : [parseAccount(text)];
    }));
  }

  async read(place: AccountPlace): Promise<Account | undefined> {
    const text = await this.#sealed.read(accountKey(place));
    return text === undefined ? undefined : parseAccount(text);
  }

  async change(
    place: AccountPlace,
    change: (before: Account | undefined) => Account | undefined,
  ): Promise<void> {
    await this.#sealed.replace(accountKey(place), (text) => {
      const before = text === undefined ? undefined : parseAccount(text);
      const after = change(before);
      return after === before ? text : after && JSON.stringify(after);
    });
  }

  async alone<T>(place: AccountPlace, run: () => Promise<T>): Promise<T> {
    const { leases, clock } = this.#options;
    return await withLease({ leases, clock, name: PREFIX + accountKey(place) }, run);
  }

  watch(listener: () => void): () => void {
    return this.#sealed.watch(listener);
  }
}
