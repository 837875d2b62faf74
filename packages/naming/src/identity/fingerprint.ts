/**
 * The fingerprint at the end of a hashed name. It is a frozen format: people's configurations hold
 * such names.
 */

import { createHash } from 'node:crypto';

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
  const digest = sha256(identity);
  const [first, second] = [digest.readUInt32BE(0), digest.readUInt32BE(4)];
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

/**
 * Of the text as UTF-8, except that a lone surrogate keeps its own three bytes. So two different texts never have the
 * same bytes.
 */
function sha256(text: string): Buffer {
  const hash = createHash('sha256');
  for (const part of text.split(/(\p{Cs})/u)) {
    const code = part.charCodeAt(0);
    const isLone = part.length === 1 && code >= 0xd800 && code <= 0xdfff;
    const lone = [0xe0 | (code >> 12), 0x80 | ((code >> 6) & 63), 0x80 | (code & 63)];
    hash.update(isLone ? Uint8Array.from(lone) : part);
  }
  return hash.digest();
}
