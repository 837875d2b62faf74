/**
 * Finds the base form of verbs in descriptions: `Deletes`, `Fetching` and `Copies` are forms of
 * `delete`, `fetch` and `copy`.
 */

import { effectOf } from './verb-effects.js';

export type Form = 'base' | 'third' | 'ing';

export interface Inflected {
  readonly base: string;
  readonly form: Form;
}

/** The verb that a word is a form of; `undefined` if it is not a known verb. */
export function verbIn(word: string): Inflected | undefined {
  if (effectOf(word) !== undefined) return { base: word, form: 'base' };
  if (word.endsWith('ing')) {
    const stem = word.slice(0, -3);
    return firstKnown([stem, `${stem}e`, stem.replace(/(.)\1$/, '$1')], 'ing');
  }
  if (!word.endsWith('s')) return undefined;
  const stems = [word.slice(0, -1), word.replace(/es$/, ''), word.replace(/ies$/, 'y')];
  return firstKnown(stems, 'third');
}

function firstKnown(stems: readonly string[], form: Form): Inflected | undefined {
  const base = stems.find((stem) => effectOf(stem) !== undefined);
  return base === undefined ? undefined : { base, form };
}
