/**
 * Tokens of sign-ins in the database. They are encrypted with a secret that the database does not
 * have.
 */

import {
  holderOf,
  parseSignIn,
  type RemoteEntry,
  signInId,
  type SignInRecord,
  type SignInStore,
} from '@callsign/auth';
import type { Clock } from '@callsign/core';

import type { Leases } from '../../leases/leases.js';
import type { PostgresDocuments } from '../documents/postgres-documents.js';
import { SealedDocuments } from '../documents/sealed-documents.js';
import { withLease } from './with-lease.js';

export interface PostgresSignInsOptions {
  readonly documents: PostgresDocuments;
  readonly leases: Leases;
  readonly clock: Clock;
  /** The newest first. Default: sign-ins can neither be read nor stored. */
  readonly secrets: readonly string[] | undefined;
}

const PREFIX = 'sign-in/';
/** Separates this use of the secrets from others. */
const LABEL = 'callsign sign-ins 1';

/**
 * The sign-ins that all instances share. Their names are part of the encryption, so one record
 * cannot take the place of another.
 */
export class PostgresSignIns implements SignInStore {
  readonly #options: PostgresSignInsOptions;
  readonly #sealed: SealedDocuments;

  constructor(options: PostgresSignInsOptions) {
    this.#options = options;
    const { documents, secrets } = options;
    const words = { one: 'a sign-in', many: 'sign-ins', again: 'sign in again' };
    this.#sealed = new SealedDocuments({ documents, secrets, prefix: PREFIX, label: LABEL, words });
  }

  /**
   * Rejects if there is a sign-in that no secret opens. Sign-ins with an older secret are encrypted
   * again with the newest one.
   */
  check(): Promise<void> {
    return this.#sealed.check();
  }

  async probe(): Promise<void> {
    this.#sealed.requireSecret();
  }

  async find(server: RemoteEntry): Promise<SignInRecord | undefined> {
    const text = await this.#sealed.read(signInId(server));
    return text === undefined ? undefined : parseSignIn(text);
  }

  holder(server: RemoteEntry): string | undefined {
    const text = this.#sealed.get(signInId(server));
    return text === undefined ? undefined : holderOf(parseSignIn(text));
  }

  async save(record: SignInRecord): Promise<void> {
    const id = signInId({ key: record.server, url: record.url });
    await this.#sealed.save(id, JSON.stringify(record));
  }

  async remove(server: RemoteEntry): Promise<void> {
    await this.#sealed.remove(signInId(server));
  }

  async alone<T>(server: RemoteEntry, run: () => Promise<T>): Promise<T> {
    const { leases, clock } = this.#options;
    return await withLease({ leases, clock, name: PREFIX + signInId(server) }, run);
  }

  watch(listener: () => void): () => void {
    return this.#sealed.watch(listener);
  }
}
