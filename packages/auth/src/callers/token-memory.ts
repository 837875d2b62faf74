/** Tokens that were already checked, by their hash. Further requests need only a lookup. */

import type { Principal } from '@callsign/core';

/** After this time a token is checked again, so that a revoked key stops working. */
const LONGEST_MS = 5 * 60_000;
const MOST_TOKENS = 10_000;

export class TokenMemory {
  readonly #known = new Map<string, { readonly principal: Principal; readonly until: number }>();

  /** Until when a token of each principal is accepted. A session may outlive its first token. */
  readonly #ends = new Map<string, number>();

  /** Whether a token of this principal is still accepted. */
  holds(principal: Principal): boolean {
    return (this.end(principal) ?? 0) > Date.now();
  }

  /** Until when the last token of this principal is accepted; `undefined` if it has shown none. */
  end(principal: Principal): number | undefined {
    return this.#ends.get(keyOf(principal));
  }

  get(hash: string): Principal | undefined {
    const found = this.#known.get(hash);
    if (!found) return undefined;
    if (found.until > Date.now()) return found.principal;
    this.#known.delete(hash);
    return undefined;
  }

  add(
    hash: string,
    token: { readonly principal: Principal; readonly acceptedUntil: number },
  ): void {
    const { principal, acceptedUntil } = token;
    this.#known.set(hash, { principal, until: Math.min(acceptedUntil, Date.now() + LONGEST_MS) });
    dropOldest(this.#known);
    this.extend(principal, acceptedUntil);
  }

  /** The principal has a token until then, which was checked here or by another instance. */
  extend(principal: Principal, acceptedUntil: number): void {
    const key = keyOf(principal);
    const end = Math.max(acceptedUntil, this.#ends.get(key) ?? 0);
    this.#ends.delete(key);
    this.#ends.set(key, end);
    dropOldest(this.#ends);
  }
}

/** A token that is dropped too early is simply checked again. */
function dropOldest(map: Map<string, unknown>): void {
  const [oldest] = map.size > MOST_TOKENS ? map.keys() : [];
  if (oldest !== undefined) map.delete(oldest);
}

function keyOf({ name, roles }: Principal): string {
  return JSON.stringify([name, roles]);
}
