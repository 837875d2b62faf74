/** Checked tokens, by their hash, so that further requests need only a lookup. */

import type { Principal } from '@callsign/core';

/** Tokens of a revoked key are refused after this time at the latest. */
const LONGEST_MS = 5 * 60_000;
const MOST_TOKENS = 10_000;

export class TokenMemory {
  readonly #known = new Map<string, { readonly principal: Principal; readonly until: number }>();

  /** When the last token of each principal ends. A session outlives its first token. */
  readonly #ends = new Map<string, number>();

  /** Whether a token of this principal has not expired. */
  holds(principal: Principal): boolean {
    return (this.#ends.get(keyOf(principal)) ?? 0) > Date.now();
  }

  get(hash: string): Principal | undefined {
    const found = this.#known.get(hash);
    if (!found) return undefined;
    if (found.until > Date.now()) return found.principal;
    this.#known.delete(hash);
    return undefined;
  }

  add(hash: string, token: { readonly principal: Principal; readonly expiresAt: number }): void {
    const { principal, expiresAt } = token;
    this.#known.set(hash, { principal, until: Math.min(expiresAt, Date.now() + LONGEST_MS) });
    const key = keyOf(principal);
    const end = Math.max(expiresAt, this.#ends.get(key) ?? 0);
    this.#ends.delete(key);
    this.#ends.set(key, end);
    // Oldest first. A token that is forgotten too early is checked again.
    for (const map of [this.#known, this.#ends]) {
      const [oldest] = map.size > MOST_TOKENS ? map.keys() : [];
      if (oldest !== undefined) map.delete(oldest);
    }
  }
}

function keyOf({ name, roles }: Principal): string {
  return JSON.stringify([name, roles]);
}
