/**
 * Shortens lists of operation names: in groups such as `issues_{create,get,list}`, or as counts by
 * noun.
 */

import { isVerb } from '@callsign/effects';

/** Groups names by their first word. No name is lost. */
export function braced(names: readonly string[]): string[] {
  const groups = new Map<string, string[]>();
  for (const name of names) {
    const cut = name.indexOf('_');
    const first = cut === -1 ? name : name.slice(0, cut);
    groups.set(first, [...(groups.get(first) ?? []), cut === -1 ? '' : name.slice(cut + 1)]);
  }
  return Array.from(groups, ([first, rests]) => {
    if (rests.length === 1) return rests[0] === '' ? first : `${first}_${rests[0]}`;
    const whole = rests.includes('') ? [first] : [];
    const rest = rests.filter((each) => each !== '');
    return [
      ...whole,
      rest.length === 1 ? `${first}_${rest[0]}` : `${first}_{${rest.join(',')}}`,
    ].join(' ');
  });
}

/** The number of operations for each noun, most frequent first. */
export function countedByNoun(names: readonly string[]): Readonly<Record<string, number>> {
  const counts = new Map<string, number>();
  for (const name of names) {
    const noun = nounOf(name);
    counts.set(noun, (counts.get(noun) ?? 0) + 1);
  }
  return Object.fromEntries([...counts].toSorted(([, a], [, b]) => b - a));
}

/** The first word that is not a verb: `issues` of `issues_create`, `ship` of `list_ships`. */
function nounOf(name: string): string {
  const words = name.split('_').filter((word) => word !== '');
  const noun = words.find((word) => !isVerb(word));
  return (noun ?? words[0] ?? name).replace(/(?<=\w{3}[^s])s$/, '');
}
