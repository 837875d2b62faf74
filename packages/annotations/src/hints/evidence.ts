/** Who said what a hint is: the evidence that a label carries for each of its hints. */

import type { Hint } from './hints.js';

/**
 * Who may speak, from the one who is heard last to the one who is heard first: the specification,
 * the tool's own words, what you assume of a whole server, the server, and you.
 */
export const VOICES = ['default', 'words', 'assumed', 'server', 'you'] as const;

export type Voice = (typeof VOICES)[number];

/** A claim of the server that does not count, and why. */
export interface Disbelief {
  readonly claim: boolean;
  readonly because: string;
}

export type Evidence =
  | { readonly by: 'you'; readonly how: 'override' | 'accepted' }
  | ((
      | { readonly by: 'server' | 'assumed' | 'default' }
      | { readonly by: 'words'; readonly because: string }
    ) & { readonly disbelieved?: Disbelief });

/** One hint as it counts, and why. */
export interface LabelHint {
  readonly value: boolean;
  readonly evidence: Evidence;
}

/** The four hints of a label. */
export type LabelHints = Readonly<Record<Hint, LabelHint>>;

/** Whether the first voice is heard before the second, or is the same. */
export function ranksAsHigh(first: Evidence, second: Evidence): boolean {
  return VOICES.indexOf(first.by) >= VOICES.indexOf(second.by);
}
