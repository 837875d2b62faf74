/** Tokens that were found good, by their hash, so that their next requests cost a look-up. */

import type { Principal } from '@callsign/core';

/** A key that an issuer takes back ends its tokens no later than this. */
const LONGEST_MS = 5 * 60_000;
const MOST_TOKENS = 10_000;

export class TokenMemory {
  readonly #known = new Map<string, { readonly principal: Principal; readonly until: number }>();

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
    // They stand in the order in which they came; whoever is forgotten too early is checked again.
    const [oldest] = this.#known.size > MOST_TOKENS ? this.#known.keys() : [];
    if (oldest !== undefined) this.#known.delete(oldest);
  }
}
