/** Records which parts of arguments are not shown: where they are, how long, and why. */

import { visibleLetters } from '../text/visible-text.js';

/** A part that a person does not see. `length`: it was cut or left out because it is too long. */
export interface HiddenPart {
  /** Where it is, such as `env.password` or `args.2`. Empty: everything. */
  readonly at: string;
  readonly characters: number;
  readonly because: 'secret' | 'length';
}

const MAX_PARTS = 8;
const MAX_KEY = 40;
/** Keys at each end of a long path. The keys between them are left out. */
const PATH_END = 6;
const MARK = '[redacted]';

/** Keeps the first few parts, and only the number and the size of the others. */
export class HiddenParts {
  readonly #parts: HiddenPart[] = [];
  /** The sum of all parts after the first `MAX_PARTS`. */
  #rest = { count: 0, characters: 0 };

  get parts(): readonly HiddenPart[] {
    const { count, characters } = this.#rest;
    if (count === 0) return this.#parts;
    return [...this.#parts, { at: `${count} more places`, characters, because: 'length' }];
  }

  add(
    path: readonly (string | number)[],
    characters: number,
    because: HiddenPart['because'],
  ): void {
    if (this.#parts.length < MAX_PARTS) {
      this.#parts.push({ at: placeOf(path), characters, because });
    } else {
      this.#rest.count++;
      this.#rest.characters += characters;
    }
  }
}

function placeOf(path: readonly (string | number)[]): string {
  const keys =
    path.length <= 2 * PATH_END
      ? path
      : [...path.slice(0, PATH_END), '…', ...path.slice(-PATH_END)];
  return keys.map((key) => visibleLetters(String(key), MAX_KEY)).join('.');
}

/**
 * How many characters of `text` were replaced by marks in `safe`. `text` may hold such marks
 * itself.
 */
export function redactedIn(text: string, safe: string): number {
  const marks = safe.split(MARK).length - text.split(MARK).length;
  return Math.max(1, text.length - (safe.length - marks * MARK.length));
}
