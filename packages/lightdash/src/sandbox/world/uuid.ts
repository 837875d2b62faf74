/** Identifiers that are the same in every run. */

import { createHash } from 'node:crypto';

/** A UUID derived from the words alone. */
export function uuidOf(...words: readonly (string | number)[]): string {
  const hex = createHash('sha256').update(words.join('/')).digest('hex');
  const variant = '89ab'[Number.parseInt(hex[16]!, 16) % 4]!;
  return [
    hex.slice(0, 8),
    hex.slice(8, 12),
    `4${hex.slice(13, 16)}`,
    `${variant}${hex.slice(17, 20)}`,
    hex.slice(20, 32),
  ].join('-');
}

/** A number below the limit, derived from the words alone. */
export function numberOf(limit: number, ...words: readonly (string | number)[]): number {
  const hash = createHash('sha256').update(words.join('/')).digest();
  return hash.readUInt32BE(0) % limit;
}

/** The n-th time in the sandbox's year, in Lightdash's format. */
export function dateOf(hours: number): string {
  return new Date(Date.UTC(2026, 0, 5, 9) + hours * 3_600_000).toISOString();
}
