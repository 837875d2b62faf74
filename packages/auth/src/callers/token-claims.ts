/** Reads the principal from the claims of a valid token. */

import { valueAt, type Principal } from '@callsign/core';

const LONGEST_NAME = 256;
const MOST_ROLES = 100;

type Claims = Readonly<Record<string, unknown>>;

/** `undefined`: the token has no subject, or one that records cannot hold. */
export function principalOf(claims: Claims, rolesClaim: string): Principal | undefined {
  const { sub } = claims;
  if (typeof sub !== 'string' || sub === '' || sub.length > LONGEST_NAME) return undefined;
  if (/[\p{Cc}\p{Cf}\p{Zl}\p{Zp}]/u.test(sub)) return undefined;
  // The prefix keeps it different from the name of any API key.
  return { name: `sub:${sub}`, roles: words(claimAt(claims, rolesClaim)) };
}

/** The scopes, under either of the two names of the claim. */
export function scopesOf({ scope, scp }: Claims): readonly string[] {
  return words(scope ?? scp);
}

/**
 * A claim by its name. A name with dots may also lead into nested claims, such as
 * `realm_access.roles`.
 */
function claimAt(claims: Claims, name: string): unknown {
  return Object.hasOwn(claims, name) ? claims[name] : valueAt(claims, name.split('.'));
}

/** Reads a list of texts, or one text with spaces between words. */
function words(value: unknown): readonly string[] {
  const list: readonly unknown[] =
    typeof value === 'string' ? value.split(' ') : Array.isArray(value) ? value : [];
  const texts = list.filter((word) => typeof word === 'string' && word !== '') as string[];
  return [...new Set(texts)].slice(0, MOST_ROLES);
}
