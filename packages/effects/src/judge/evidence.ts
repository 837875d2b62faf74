/** One fact that was read in what is known of an operation. */

import type { Effect } from '../hints/endpoints.js';
import type { Certainty } from './verbs.js';

export interface Evidence {
  readonly where: 'name' | 'title' | 'description' | 'parameter' | 'method' | 'path';
  /** The word that says it, the parameter, or the value that it can have. */
  readonly word: string;
  /** `undefined`: it stands where an action stands, and is not known to be anything else. */
  readonly effect: Effect | undefined;
  readonly certainty: Certainty;
  /** A clause for people: `the name says list`. */
  readonly because: string;
}

export function saying(
  where: Evidence['where'],
  word: string,
  effect: Effect | undefined,
  certainty: Certainty,
): Evidence {
  const because = `the ${where} says ${word}${effect === 'sends' ? ': cannot be taken back' : ''}`;
  return { where, word, effect, certainty, because };
}
