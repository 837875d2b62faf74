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
    if (slips >= fewest || !areAlike(typed, meant, slips)) continue;
    nearest = candidate;
    fewest = slips;
  }
  return nearest;
}

/** Whether words share more than half of their letters, or one is the beginning of the other: not `db` and `fs`. */
function areAlike(typed: string, meant: string, slips: number): boolean {
  if (meant === '') return false;
  if (typed.startsWith(meant) || meant.startsWith(typed)) return true;
  return slips * 2 < Math.max(typed.length, meant.length);
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
