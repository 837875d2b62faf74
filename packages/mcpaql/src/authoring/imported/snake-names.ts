/** Makes names in snake case from untrusted names: unique, and the same at every import. */

import { createHash } from 'node:crypto';

import { snakeCase } from '@callsign/naming';

const MAX_LENGTH = 64;
/** Names with a special meaning in JavaScript or other languages. */
const MEANINGFUL = ['constructor', 'prototype'];

/** `listShips` → `list_ships`. `undefined` if no usable character is left. */
export function snakeName(text: string): string | undefined {
  const name = snakeCase(text.slice(0, 1000))
    .normalize('NFKD')
    .replace(/[^a-z0-9_]+/g, '')
    .replace(/^[0-9_]+/, (start) => (/\d/.test(start) ? `n${start}` : ''))
    .replace(/_{2,}/g, '_');
  if (!/^[a-z]/.test(name)) return undefined;
  if (name.length <= MAX_LENGTH) return name.replace(/_$/, '');
  // Long names usually differ at the end, so a fingerprint replaces the part that is cut.
  const print = createHash('sha256').update(text).digest('hex').slice(0, 6);
  return `${name.slice(0, MAX_LENGTH - 7).replace(/_$/, '')}_${print}`;
}

/** Gives out each name once. */
export class SnakeNames {
  readonly #taken: Set<string>;

  /** `reserved` names are never used. */
  constructor(reserved: Iterable<string> = []) {
    this.#taken = new Set([...MEANINGFUL, ...reserved]);
  }

  /** Takes the first of the preferred names that is unused; if all are used, the last one with a number. */
  take(...preferred: readonly (string | undefined)[]): string {
    const names = preferred.flatMap((name) => (name === undefined ? [] : (snakeName(name) ?? [])));
    const base = names.at(-1) ?? 'unnamed';
    const free = names.find((name) => !this.#taken.has(name)) ?? this.#numbered(base);
    this.#taken.add(free);
    return free;
  }

  #numbered(base: string): string {
    if (!this.#taken.has(base)) return base;
    for (let number = 2; ; number++) {
      const name = `${base}_${number}`;
      if (!this.#taken.has(name)) return name;
    }
  }
}
