/**
 * Signs people in to the console: a link has a token for one use, and the page exchanges it for a
 * key.
 */

import { createHash, randomBytes } from 'node:crypto';

import type { ConsoleAccessLevel } from '@callsign/auth';

export interface ConsoleAccessOptions {
  /** Milliseconds on a clock that never goes back. */
  readonly now?: () => number;
}

/** How long the link of `callsign console` can be used. */
export const TOKEN_MS = 60_000;
/** How long a page stays signed in. */
const KEY_MS = 12 * 60 * 60 * 1000;
const MAX_TOKENS = 16;
const MAX_KEYS = 64;
const PREFIX = 'console_';

interface Granted {
  readonly role: ConsoleAccessLevel;
  readonly until: number;
}

export class ConsoleAccess {
  readonly #now: () => number;
  /** Both maps use hashes as keys, so that the time of a lookup reveals nothing about a token or key. */
  readonly #tokens = new Map<string, Granted>();
  readonly #keys = new Map<string, Granted>();

  constructor({ now = () => performance.now() }: ConsoleAccessOptions = {}) {
    this.#now = now;
  }

  /** A token for a link. It works once, within a minute. */
  createToken(role: ConsoleAccessLevel = 'operator'): string {
    return this.#grant(this.#tokens, role, TOKEN_MS, MAX_TOKENS);
  }

  /** Exchanges a token for a key; `undefined` if the token is unknown, used or too old. */
  exchange(token: string): { readonly key: string; readonly role: ConsoleAccessLevel } | undefined {
    const granted = this.#take(this.#tokens, token);
    this.#tokens.delete(hashOf(token));
    if (!granted) return undefined;
    return { key: this.#grant(this.#keys, granted.role, KEY_MS, MAX_KEYS), role: granted.role };
  }

  /** The role of a key; `undefined` if it is unknown or too old. */
  roleOf(key: string): ConsoleAccessLevel | undefined {
    return this.#take(this.#keys, key)?.role;
  }

  /** Ends the session of a key. */
  revoke(key: string): void {
    this.#keys.delete(hashOf(key));
  }

  #grant(
    secrets: Map<string, Granted>,
    role: ConsoleAccessLevel,
    ms: number,
    most: number,
  ): string {
    const secret = PREFIX + randomBytes(32).toString('base64url');
    // A map keeps the order of insertion, so the oldest comes first.
    for (const old of secrets.keys()) {
      if (secrets.size < most) break;
      secrets.delete(old);
    }
    secrets.set(hashOf(secret), { role, until: this.#now() + ms });
    return secret;
  }

  /** Finds a token or key that is still valid, and drops one that is too old. */
  #take(secrets: Map<string, Granted>, secret: string): Granted | undefined {
    const hash = hashOf(secret);
    const granted = secrets.get(hash);
    if (!granted) return undefined;
    if (granted.until > this.#now()) return granted;
    secrets.delete(hash);
    return undefined;
  }
}

function hashOf(secret: string): string {
  return createHash('sha256').update(secret).digest('base64url');
}
