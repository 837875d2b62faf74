/** Finds the known word that a misspelled word probably means. */

import { editDistance } from '@callsign/naming';

/** The nearest known word, if it is near enough for a typing error. */
export function nearestWord(word: string, known: Iterable<string>): string | undefined {
  const typed = fold(word);
  if (typed === '') return undefined;
  let nearest: string | undefined;
  let fewest = Math.max(1, Math.floor(typed.length / 4)) + 1;
  for (const candidate of known) {
    const meant = fold(candidate);
    const slips = editDistance(typed, meant, fewest - 1);
    // Words that share no more than half of their letters are not alike: `x` and `m`, `db` and `fs`.
    if (slips >= fewest || slips * 2 >= Math.max(typed.length, meant.length, 1)) continue;
    nearest = candidate;
    fewest = slips;
  }
  return nearest;
}

/** `did you mean "command"?`, or `otherwise` if no known word is near. */
export function didYouMean(word: string, known: Iterable<string>, otherwise: string): string {
  const nearest = nearestWord(word, known);
  return nearest === undefined ? otherwise : `did you mean ${JSON.stringify(nearest)}?`;
}

function fold(word: string): string {
  return word
    .toLowerCase()
    .replace(/[^\p{L}\p{N}]+/gu, '')
    .slice(0, 64);
}
