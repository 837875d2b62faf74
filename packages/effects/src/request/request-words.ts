/** Splits names and paths of HTTP operations into words. */

import { wordsOf } from '../words/words.js';

/** As for tools, but `auto_complete` completes nothing. */
export function requestWords(text: string): string[] {
  return wordsOf(text.replaceAll(/auto[-_ ]?complete/gi, 'autocomplete'));
}
