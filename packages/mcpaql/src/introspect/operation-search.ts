/** Finds operations by words, best first: rare words count more, a word of the name more than one of the description. */

import { wordsOf } from '@callsign/naming';

export interface Searched {
  readonly name: string;
  readonly text: string;
}

const NAME_WEIGHT = 4;
/** A word that goes on where the query's word ends: `create` finds `creates`. */
const PREFIX_WEIGHT = 0.5;
const LEAST_PREFIX = 3;
/** What is beyond it would only cost time. */
const READ_AT_MOST = 4000;
const MAX_QUERY_WORDS = 32;

export function createSearch<T extends Searched>(things: readonly T[]): (query: string) => T[] {
  const documents = things.map((thing) => {
    const weights = new Map<string, number>();
    for (const word of foldedWords(thing.text)) weights.set(word, 1);
    for (const word of foldedWords(thing.name)) weights.set(word, NAME_WEIGHT);
    return { thing, weights };
  });

  return function search(query) {
    const words = foldedWords(query).slice(0, MAX_QUERY_WORDS);
    const scores = documents.map(() => 0);
    for (const word of new Set(words)) {
      const found = documents.map(({ weights }) => weightOf(word, weights));
      const rarity = Math.log(
        1 + documents.length / (1 + found.filter((weight) => weight > 0).length),
      );
      for (const [i, weight] of found.entries()) scores[i]! += weight * rarity;
    }
    return documents
      .map(({ thing }, i) => ({ thing, score: scores[i]! }))
      .filter(({ score }) => score > 0)
      .toSorted((a, b) => b.score - a.score)
      .map(({ thing }) => thing);
  };
}

function weightOf(word: string, weights: ReadonlyMap<string, number>): number {
  const exact = weights.get(word);
  if (exact !== undefined || word.length < LEAST_PREFIX) return exact ?? 0;
  let best = 0;
  for (const [other, weight] of weights) {
    const isNear =
      other.startsWith(word) || (other.length >= LEAST_PREFIX && word.startsWith(other));
    if (isNear) best = Math.max(best, weight * PREFIX_WEIGHT);
  }
  return best;
}

function foldedWords(text: string): string[] {
  return wordsOf(text.slice(0, READ_AT_MOST)).map((word) => word.toLowerCase());
}
