/**
 * Tokens of sign-ins in the database. They are encrypted with a secret that the database does not
 * have.
 */

import { holderOf, parseSignIn, signInId, type SignInStore } from '@callsign/auth';
import type { RemoteEntry, SignInRecord } from '@callsign/auth';
import type { Clock } from '@callsign/core';
import { type Leases, Seal, StorageError } from '@callsign/instances';

import type { PostgresDocuments } from '../documents/postgres-documents.js';
import { heldAlone } from './held-alone.js';

export interface PostgresSignInsOptions {
  readonly documents: PostgresDocuments;
  readonly leases: Leases;
  readonly clock: Clock;
  /** The newest first. Unset: sign-ins can neither be read nor stored. */
  readonly secrets: readonly string[] | undefined;
}

const PREFIX = 'sign-in/';
/** Separates this use of the secrets from others. */
const LABEL = 'callsign sign-ins 1';
const NO_SECRET = 'storage.secrets is not set, but sign-ins in the database are encrypted with it';

/**
 * The sign-ins that all instances share. Their names are part of the encryption, so one record
 * cannot take the place of another.
 */
export class PostgresSignIns implements SignInStore {
  readonly #options: PostgresSignInsOptions;
  readonly #seal: Seal | undefined;

  constructor(options: PostgresSignInsOptions) {
    this.#options = options;
    const { secrets } = options;
    this.#seal = secrets && new Seal(secrets, LABEL);
  }

  /**
   * Rejects if there is a sign-in that no secret opens. Sign-ins with an older secret are encrypted
   * again with the newest one.
   */
  async check(): Promise<void> {
    const { documents } = this.#options;
    for (const name of documents.names(PREFIX)) {
      const sealed = documents.get(name)!;
      if (this.#required.isNewest(sealed)) continue;
      const text = this.#open(name, sealed);
      await documents.change(name, (now) =>
        now === sealed ? this.#required.seal(text, name) : now,
      );
    }
  }

  async probe(): Promise<void> {
    if (!this.#seal) throw new StorageError(NO_SECRET);
  }

  async find(server: RemoteEntry): Promise<SignInRecord | undefined> {
    const name = nameOf(server);
    const sealed = await this.#options.documents.read(name);
    return sealed === undefined ? undefined : parseSignIn(this.#open(name, sealed));
  }

  holder(server: RemoteEntry): string | undefined {
    const name = nameOf(server);
    const sealed = this.#options.documents.get(name);
    const text = sealed === undefined ? undefined : this.#seal?.open(sealed, name);
    return text === undefined ? undefined : holderOf(parseSignIn(text));
  }

  async save(record: SignInRecord): Promise<void> {
    const name = nameOf({ key: record.server, url: record.url });
    const sealed = this.#required.seal(JSON.stringify(record), name);
    await this.#options.documents.change(name, () => sealed);
  }

  async remove(server: RemoteEntry): Promise<void> {
    await this.#options.documents.change(nameOf(server), () => undefined);
  }

  async alone<T>(server: RemoteEntry, run: () => Promise<T>): Promise<T> {
    const { leases, clock } = this.#options;
    return await heldAlone({ leases, clock, name: nameOf(server) }, run);
  }

  watch(listener: () => void): () => void {
    return this.#options.documents.watch(PREFIX, listener);
  }

  /** Throws if there are no secrets. */
  get #required(): Seal {
    if (this.#seal) return this.#seal;
    throw new StorageError(NO_SECRET);
  }

  #open(name: string, sealed: string): string {
    const text = this.#required.open(sealed, name);
    if (text !== undefined) return text;
    throw new StorageError(
      'a sign-in in the database was encrypted with another secret; add that secret to storage.secrets, or delete the rows of "documents" whose names start with "sign-in/" and sign in again',
    );
  }
}

function nameOf(server: RemoteEntry): string {
  return PREFIX + signInId(server);
}
