/** Turns a question into search terms. */

import { lowerWords } from '@callsign/naming';

import { withoutPhrases } from './phrases.js';
import { stemOf } from './stem.js';
import { STOP_WORDS } from './stop-words.js';

export interface QueryTerms {
  /** Stems, each once. */
  readonly terms: readonly string[];
  /** Neighbours joined to one word: `screen shot` also searches for `screenshot`. */
  readonly pairs: readonly string[];
}

const MAX_LENGTH = 1000;
const MAX_TERMS = 32;

/** Leaves out stop words, unless the question has no other words. */
export function queryTerms(query: string): QueryTerms {
  const words = lowerWords(query.slice(0, MAX_LENGTH));
  const meant = withoutPhrases(words);
  const telling = meant.filter((word) => !STOP_WORDS.has(word));
  const chosen = (telling.length > 0 ? telling : meant).slice(0, MAX_TERMS);
  return {
    terms: [...new Set(chosen.map(stemOf))],
    pairs: chosen.slice(1).map((word, i) => stemOf(`${chosen[i]}${word}`)),
  };
}
