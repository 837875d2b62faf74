/** The risk of a tool as tables show it: one colour per risk, and a mark where it needs a second look. */

import { groundOf, type Ground, type Label } from '@callsign/annotations';
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

/** What the marks of these labels mean, on one line; nothing if there are none. */
export function markMeanings(labels: readonly Label[]): string | undefined {
  const grounds = new Set(labels.map(groundOf));
  const meanings = (['words', 'contradiction'] as const)
    .filter((ground) => grounds.has(ground))
    .map((ground) => MEANINGS[ground]);
  return meanings.length === 0 ? undefined : `${meanings.join('; ')}. Why: callsign tools --why`;
}
