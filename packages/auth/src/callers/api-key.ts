/** API keys: long random texts, of which the configuration holds only a hash. */

import { hash, randomBytes } from 'node:crypto';

export interface ApiKey {
  /** For the client; shown once and kept nowhere. */
  readonly key: string;
  /** For the configuration. */
  readonly hash: string;
}

/** Scanners for leaked secrets know a key by it. */
const PREFIX = 'callsign_';

export function createApiKey(): ApiKey {
  const key = PREFIX + randomBytes(32).toString('base64url');
  return { key, hash: hashOf(key) };
}

/** One fast hash is enough: nobody guesses 256 random bits. */
export function hashOf(credential: string): string {
  return `sha256:${hash('sha256', credential, 'hex')}`;
}
