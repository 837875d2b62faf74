/** Names for programs out of names that strangers gave: snake case, unlike any other, the same at every import. */

import { createHash } from 'node:crypto';

import { snakeCase } from '@callsign/naming';

const MAX_LENGTH = 64;
/** Names that mean something to the language of whoever reads the adapter. */
const MEANINGFUL = ['constructor', 'prototype'];

/** `listShips` → `list_ships`; `undefined` if nothing that can be written is left of it. */
export function snakeName(text: string): string | undefined {
  const name = snakeCase(text.slice(0, 1000))
    .normalize('NFKD')
    .replace(/[^a-z0-9_]+/g, '')
    .replace(/^[0-9_]+/, (start) => (/\d/.test(start) ? `n${start}` : ''))
    .replace(/_{2,}/g, '_');
  if (!/^[a-z]/.test(name)) return undefined;
  if (name.length <= MAX_LENGTH) return name.replace(/_$/, '');
  // Long names mostly differ at their end, so what is cut stays in a fingerprint.
  const print = createHash('sha256').update(text).digest('hex').slice(0, 6);
  return `${name.slice(0, MAX_LENGTH - 7).replace(/_$/, '')}_${print}`;
}

/** Gives each name once. */
export class SnakeNames {
  readonly #taken: Set<string>;

  /** `reserved` are never given. */
  constructor(reserved: Iterable<string> = []) {
    this.#taken = new Set([...MEANINGFUL, ...reserved]);
  }

  /** The first of the wishes that is free; else the last of them with a number. */
  take(...wishes: readonly (string | undefined)[]): string {
    const names = wishes.flatMap((wish) => (wish === undefined ? [] : (snakeName(wish) ?? [])));
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
