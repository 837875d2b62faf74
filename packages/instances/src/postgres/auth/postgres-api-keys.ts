/**
 * API keys in the database. Each holds the hash of a key, its roles and its access to the console, encrypted and
 * bound to its name. A person who can only write to the database can make no key and change no roles.
 */

import { API_KEY, type ApiKeySettings, type SharedApiKeys } from '@callsign/auth';

import type { PostgresDocuments } from '../documents/postgres-documents.js';
import { SealedDocuments } from '../documents/sealed-documents.js';

export interface PostgresApiKeysOptions {
  readonly documents: PostgresDocuments;
  /** The newest first. Default: there are no keys, and none can be stored. */
  readonly secrets: readonly string[] | undefined;
  /** Of the tables, for messages. */
  readonly schema: string;
}

const PREFIX = 'api-key/';
const LABEL = 'callsign API keys 1';

export class PostgresApiKeys implements SharedApiKeys {
  readonly place: string;
  readonly #sealed: SealedDocuments;

  constructor({ documents, secrets, schema }: PostgresApiKeysOptions) {
    this.place = `the database (schema "${schema}")`;
    const words = { one: 'an API key', many: 'API keys', again: 'add the keys again' };
    this.#sealed = new SealedDocuments({ documents, secrets, prefix: PREFIX, label: LABEL, words });
  }

  /** Fails if there are keys that no secret opens. */
  check(): Promise<void> {
    return this.#sealed.check();
  }

  list(): readonly ApiKeySettings[] {
    return this.#sealed.names().flatMap((name) => this.#read(name) ?? []);
  }

  add(key: ApiKeySettings): Promise<boolean> {
    return this.#sealed.create(key.name, JSON.stringify(key));
  }

  remove(name: string): Promise<boolean> {
    return this.#sealed.remove(name);
  }

  watch(listener: () => void): () => void {
    return this.#sealed.watch(listener);
  }

  /** A key that does not open, or that a newer version wrote with settings unknown here, does not count. */
  #read(name: string): ApiKeySettings | undefined {
    const text = this.#sealed.get(name);
    return text === undefined ? undefined : API_KEY.safeParse(JSON.parse(text)).data;
  }
}
