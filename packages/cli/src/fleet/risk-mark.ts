/** The risk of a tool in tables, with a mark where a person should check it. */

import { groundOf, type Ground, type Label } from '@callsign/effects';
const MARKS: Partial<Readonly<Record<Ground, string>>> = { words: '~', contradiction: '!' };

const MEANINGS: Partial<Readonly<Record<Ground, string>>> = {
  words: '~ inferred from its own words',
  contradiction: '! its server claims less',
};

/** The risk and its mark, such as `read ~`. */
export function markedRisk(label: Label): string {
  const mark = MARKS[groundOf(label)];
  return mark === undefined ? label.risk : `${label.risk} ${mark}`;
}

/** Explains the marks of these labels in one line; `undefined` if there are none. */
export function markMeanings(labels: readonly Label[], isWhyShown: boolean): string | undefined {
  const grounds = new Set(labels.map(groundOf));
  const meanings = (['words', 'contradiction'] as const)
    .filter((ground) => grounds.has(ground))
    .map((ground) => MEANINGS[ground]);
  if (meanings.length === 0) return undefined;
  return `${meanings.join('; ')}.${isWhyShown ? '' : ' Why: callsign tools --why'}`;
}
