/** Redacts base64 text that contains known secrets, even in the middle: `user:password` of Basic. */

import { REDACTED } from './redacted.js';

const ALPHABET = 'ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789+/';
const WORD = /[A-Za-z0-9+/_-]+={0,2}/g;
/** Three bytes are four characters, so a secret can begin at three places of such a group. */
const OFFSETS = [0, 1, 2];
/** Characters. Fewer would match other words. */
const LEAST = 6;

/**
 * Returns a function that hides every base64 word with one of these secrets in it. They are compiled
 * once: the function searches each text a single time.
 */
export function createBase64Redactor(secrets: readonly string[]): (text: string) => string {
  const cores = new Set(secrets.map(bytesOf).flatMap(coresOf));
  if (cores.size === 0) return (text) => text;
  const known = new RegExp([...cores].join('|'));
  return (text) =>
    known.test(text) ? text.replaceAll(WORD, (word) => (known.test(word) ? REDACTED : word)) : text;
}

/** The characters that depend on these bytes alone, for each place where they may begin. */
function coresOf(bytes: readonly number[]): string[] {
  const cores = OFFSETS.map((offset) => {
    const first = Math.ceil((offset * 8) / 6);
    const end = Math.floor(((offset + bytes.length) * 8) / 6);
    const sextets = Array.from({ length: Math.max(0, end - first) }, (_, i) =>
      sextetAt(bytes, (first + i) * 6 - offset * 8),
    );
    return sextets.map(patternOf).join('');
  });
  return cores.filter(({ length }) => length >= LEAST);
}

/** Six bits, from this bit on. */
function sextetAt(bytes: readonly number[], bit: number): number {
  const pair = (bytes[bit >> 3]! << 8) | (bytes[(bit >> 3) + 1] ?? 0);
  return (pair >> (10 - (bit & 7))) & 63;
}

/** Base64 for URLs has other characters for 62 and 63. */
function patternOf(sextet: number): string {
  if (sextet === 62) return '[+-]';
  return sextet === 63 ? '[/_]' : ALPHABET.charAt(sextet);
}

/** As UTF-8. */
function bytesOf(text: string): number[] {
  try {
    return Array.from(encodeURIComponent(text).matchAll(/%(..)|[^]/g), ([character, hex]) =>
      hex === undefined ? character.charCodeAt(0) : Number.parseInt(hex, 16),
    );
  } catch {
    // It has half a surrogate pair.
    return [];
  }
}
