/** Hints in words, and their sources, for people. */

import type { Hint, LabelHints, Risk, Voice } from '@callsign/effects';

const WORDS: readonly (readonly [hint: Hint, word: string])[] = [
  ['readOnlyHint', 'read-only'],
  ['destructiveHint', 'destructive'],
  ['idempotentHint', 'repeatable'],
  ['openWorldHint', 'open-world'],
];

const SOURCES: Readonly<Record<Voice, string>> = {
  you: 'you',
  server: 'the server',
  observed: 'what was observed',
  words: 'its own words',
  assumed: 'you, for the server',
  default: 'default',
};

/** The hints that are true. Destructive and repeatable are left out for a tool that only reads. */
export function hintWords(hints: LabelHints, risk: Risk): string {
  const isMoot = (hint: Hint): boolean =>
    risk === 'read' && (hint === 'destructiveHint' || hint === 'idempotentHint');
  return WORDS.filter(([hint]) => hints[hint].value && !isMoot(hint))
    .map(([, word]) => word)
    .join(', ');
}

/** Every hint with its value and its source. */
export function hintReasons(hints: LabelHints): { word: string; value: boolean; who: string }[] {
  return WORDS.map(([hint, word]) => {
    const { value, evidence } = hints[hint];
    return { word, value, who: SOURCES[evidence.by] };
  });
}
