/**
 * The fingerprint at the end of a hashed name. It is a frozen format: people's configurations hold
 * such names.
 */

import { sha256 } from './sha256.js';

// Crockford's alphabet in lower case. It has no i, l, o or u, so a mark is hard to misread.
const ALPHABET = '0123456789abcdefghjkmnpqrstvwxyz';
const MARK = /_[0-7][0-9a-hjkmnp-tv-z]{9}$/;

/** Characters: an underscore, a digit, and nine letters or digits. */
export const MARK_LENGTH = 11;

/**
 * `_` and 48 bits of the identity's SHA-256. The leading digit sets marks apart from words, so
 * {@link endsInFingerprint} is almost never true for a name that a person chose.
 */
export function fingerprintMark(identity: string): string {
  const [first = 0, second = 0] = sha256(identity);
  let mark = `_${first >>> 29}`;
  for (let shift = 24; shift >= 4; shift -= 5) mark += ALPHABET[(first >>> shift) & 31];
  let rest = ((first & 15) << 16) | (second >>> 16);
  for (let i = 0; i < 4; i++, rest <<= 5) mark += ALPHABET[(rest >>> 15) & 31];
  return mark;
}

/** Whether a name has the form of a hashed name. Such a name is never rendered as exact. */
export function endsInFingerprint(name: string): boolean {
  return MARK.test(name);
}

/** The readable part of a hashed name. Other names are returned unchanged. */
export function withoutFingerprint(name: string): string {
  return name.replace(MARK, '');
}
