/**
 * Hashed names: a readable stem and a fingerprint, for identities that a client's rules do not
 * allow.
 */

import { notOneOf, type ClientProfile } from '../profile/client-profile.js';
import { fingerprintMark, MARK_LENGTH } from '../identity/fingerprint.js';
import type { NamePattern } from '../pattern/pattern.js';
import type { PatternValues } from '../pattern/pattern-scope.js';
import { fairShares } from '../words/fair-shares.js';

export interface HashedNameOptions {
  readonly profile: ClientProfile;
  readonly pattern: NamePattern;
  /** The longest name, in characters. */
  readonly maxLength: number;
}

/** Makes hashed names. `identity` is the text that the fingerprint is made from. */
export function createHashedNames({
  profile,
  pattern,
  maxLength,
}: HashedNameOptions): (values: PatternValues, identity: string) => string {
  const shorten = createShortener(profile, pattern, maxLength - MARK_LENGTH);
  return (values, identity) => shorten(values) + fingerprintMark(identity);
}

/** Makes the readable stem: allowed characters only, and each value cut to its fair share. */
function createShortener(
  profile: ClientProfile,
  pattern: NamePattern,
  maxLength: number,
): (values: PatternValues) => string {
  const illegal = profile.characters === null ? undefined : notOneOf(profile.characters);
  const illegalRun = illegal === undefined ? undefined : new RegExp(`${illegal}+`, 'g');
  const clean = (text: string): string => (illegalRun ? text.replace(illegalRun, '_') : text);
  const variables = pattern.parts.filter(({ kind }) => kind === 'variable').map(({ text }) => text);
  const literals = pattern.parts.filter(({ kind }) => kind === 'literal');
  const literalLength = literals.reduce((sum, { text }) => sum + clean(text).length, 0);

  return function shorten(values) {
    // A stem uses only the first part of a value, and a hostile server's names may be very long.
    const cleaned = variables.map((name) =>
      trimmed(clean((values[name] ?? '').slice(0, 4 * maxLength))),
    );
    const shares = fairShares(
      cleaned.map(({ length }) => length),
      maxLength - literalLength,
    );
    const cut: Record<string, string> = {};
    for (const [i, name] of variables.entries()) {
      cut[name] = trimmed(cleaned[i]!.slice(0, shares[i]));
    }
    const stem = clean(pattern.format(cut));
    const first = profile.firstCharacters;
    const started = first && !first.includes(stem.charAt(0)) ? `x${stem}` : stem;
    return started.slice(0, maxLength);
  };
}

/** Removes underscores at both ends. Not a regular expression: that would take quadratic time. */
function trimmed(text: string): string {
  let start = 0;
  let end = text.length;
  while (start < end && text[start] === '_') start++;
  while (end > start && text[end - 1] === '_') end--;
  return text.slice(start, end) || 'x';
}
