/** The source of a label's evidence, in words, and how certain the label is. */

import type { ToolSummary } from '@callsign/gateway/admin/data';

export const GROUND_WORDS: Readonly<Record<string, string>> = {
  you: 'you set it',
  observed: 'it was observed',
  server: 'the server says so',
  assumed: 'your assumption',
  words: 'its own words',
  default: 'nothing is known',
  contradiction: 'contradicted',
  lapsed: 'expired',
};

export type Certainty = 'stated' | 'inferred' | 'unknown';

export const CERTAINTIES: readonly (readonly [certainty: Certainty, words: string])[] = [
  ['stated', 'stated or observed'],
  ['inferred', 'by its words'],
  ['unknown', 'nothing is known'],
];

/** A claim that the tool itself contradicts needs a person, so it is not toned down. */
export function certaintyOf({ ground }: Pick<ToolSummary, 'ground'>): Certainty {
  if (ground === 'default') return 'unknown';
  return ground === 'words' ? 'inferred' : 'stated';
}
