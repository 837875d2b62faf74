/** The evidence for each hint of a label: its source, and the claim that was not believed. */

import type { Effect } from './endpoints.js';
import type { Hint } from './hints.js';

/**
 * The sources of a hint, from the weakest to the strongest: the specification's default, the tool's
 * own words, the operator's assumption about a server, the server, what was observed, the operator.
 */
export const VOICES = ['default', 'words', 'assumed', 'server', 'observed', 'you'] as const;

/** One source of a hint. `you` is the operator. */
export type Voice = (typeof VOICES)[number];

/** The server's claim, if it does not count, and the reason. */
export interface Disbelief {
  readonly claim: boolean;
  readonly because: string;
}

/** Who says it. `disbelieved` is the server's claim, if it was overruled. */
export type Evidence =
  | { readonly by: 'you'; readonly how: 'override' | 'accepted' }
  | ((
      | { readonly by: 'server' | 'assumed' | 'default' }
      | { readonly by: 'observed'; readonly because: string }
      | {
          readonly by: 'words';
          readonly because: string;
          /** What the words say that it does. Default: only that a claim is wrong. */
          readonly effect?: Effect | undefined;
        }
    ) & { readonly disbelieved?: Disbelief });

/** The value of one hint, and its evidence. */
export interface LabelHint {
  readonly value: boolean;
  readonly evidence: Evidence;
}

/** The four hints of a label. */
export type LabelHints = Readonly<Record<Hint, LabelHint>>;

/** Whether the first source is at least as strong as the second. */
export function ranksAsHigh(first: Evidence, second: Evidence): boolean {
  return VOICES.indexOf(first.by) >= VOICES.indexOf(second.by);
}
