/**
 * Reduces words to one form: `messages`, `message` and `messaging` are the same word in a search.
 */

import { wordsOf } from '@callsign/naming';

const HAS_VOWEL = /[aeiouy]/;
/** Letters. Shorter words keep their endings. */
const LEAST = 4;
/** Characters. Reading more of a text would only cost time. */
const READ_AT_MOST = 4000;

/** The stems of a text, in its order. */
export function stemsOf(text: string): string[] {
  return wordsOf(text.slice(0, READ_AT_MOST)).map((word) => stemOf(word.toLowerCase()));
}

/** A form for comparison with other stems. It need not be a word. */
export function stemOf(word: string): string {
  if (word.length < LEAST || !/^[a-z]+$/.test(word)) return word === 'ids' ? 'id' : word;
  return withoutLastE(withoutVerbEnding(singular(word)));
}

function singular(word: string): string {
  if (!word.endsWith('s') || /(?:ss|us|is)$/.test(word)) return word;
  if (word.endsWith('ies') && word.length > LEAST) return `${word.slice(0, -3)}y`;
  return /(?:ch|sh|x|ss|zz)es$/.test(word) ? word.slice(0, -2) : word.slice(0, -1);
}

function withoutVerbEnding(word: string): string {
  if (word.endsWith('ied')) return `${word.slice(0, -3)}y`;
  const stem = /^(.{2,}?)(?:ing|ed)$/.exec(word)?.[1];
  if (stem === undefined || !HAS_VOWEL.test(stem)) return word;
  return stem.replace(/([bdfgmnprt])\1$/, '$1');
}

function withoutLastE(word: string): string {
  return word.length < LEAST ? word : word.replace(/e$/, '');
}
