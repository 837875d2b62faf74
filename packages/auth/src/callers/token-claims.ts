/** Reads the principal from the claims of a valid token. */

import type { Principal } from '@callsign/core';

const LONGEST_NAME = 256;
const MOST_ROLES = 100;

type Claims = Readonly<Record<string, unknown>>;

/** `undefined` if the token has no subject that records can hold. */
export function principalOf(claims: Claims, rolesClaim: string): Principal | undefined {
  const { sub } = claims;
  if (typeof sub !== 'string' || sub === '' || sub.length > LONGEST_NAME) return undefined;
  if (/[\p{Cc}\p{Cf}\p{Zl}\p{Zp}]/u.test(sub)) return undefined;
  // Never equal to the name of an API key.
  return { name: `sub:${sub}`, roles: words(claimAt(claims, rolesClaim)) };
}

/** Scopes, under either of their two names. */
export function scopesOf({ scope, scp }: Claims): readonly string[] {
  return words(scope ?? scp);
}

/** A claim by its name; a name with dots may also lead into claims, such as `realm_access.roles`. */
function claimAt(claims: Claims, name: string): unknown {
  if (Object.hasOwn(claims, name)) return claims[name];
  let value: unknown = claims;
  for (const part of name.split('.')) {
    if (typeof value !== 'object' || value === null || !Object.hasOwn(value, part))
      return undefined;
    value = (value as Claims)[part];
  }
  return value;
}

/** A list of texts, or one text with spaces in between. */
function words(value: unknown): readonly string[] {
  const list: readonly unknown[] =
    typeof value === 'string' ? value.split(' ') : Array.isArray(value) ? value : [];
  const texts = list.filter((word) => typeof word === 'string' && word !== '') as string[];
  return [...new Set(texts)].slice(0, MOST_ROLES);
}
