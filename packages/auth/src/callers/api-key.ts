/**
 * API keys: long random texts. Only their hashes are stored: in the configuration file, or where instances share them.
 */

import { hash, randomBytes } from 'node:crypto';

import type { ApiKeySettings } from './auth-settings.js';

/** A new key and its hash. */
export interface ApiKey {
  /** For the client. Shown once and stored nowhere. */
  readonly key: string;
  /** For the configuration. */
  readonly hash: string;
}

/** Scanners for leaked secrets recognise keys by it. */
const PREFIX = 'callsign_';

/** 256 random bits, after a prefix that names the product. */
export function createApiKey(): ApiKey {
  const key = PREFIX + randomBytes(32).toString('base64url');
  return { key, hash: hashOf(key) };
}

/** One fast hash is enough, since 256 random bits cannot be guessed. */
export function hashOf(credential: string): string {
  return `sha256:${hash('sha256', credential, 'hex')}`;
}

/** How the access tokens of people who signed in to this gateway begin. */
export const ACCESS_TOKEN = 'callsign_access_';

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
