/** API keys: long random texts. The configuration holds only their hashes. */

import { hash, randomBytes } from 'node:crypto';

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
