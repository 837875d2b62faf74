/** Where API keys are kept: in the configuration file, or where instances share them. Only hashes are kept. */

import type { ApiKeySettings } from './auth-settings.js';

/** The API keys of one place. It has only their hashes, so a lost key cannot be read from it. */
export interface ApiKeyStore {
  /** Where that is, for people. */
  readonly place: string;
  /** The keys that count now, by name. */
  list(): readonly ApiKeySettings[];
  /** Returns false if there is already a key with this name. */
  add(key: ApiKeySettings): Promise<boolean>;
  /** The key no longer counts. Returns false if there is no such key. */
  remove(name: string): Promise<boolean>;
}

/** A store whose keys count on all instances. */
export interface SharedApiKeys extends ApiKeyStore {
  /** Calls back when keys may have changed, on any instance. Returns a function that ends it. */
  watch(listener: () => void): () => void;
}
