/** Finds sets with names that an address cannot have, and references to sets that do not exist. */

import type { Node } from 'jsonc-parser';

import { didYouMean, memberOf, membersOf, type ProblemLog } from '@callsign/config';

/** Sets are named in addresses and flags. */
const NAME = /^[a-z0-9][\w.-]{0,63}$/i;

/** `settings` is the value of `callsign`. */
export function logSetProblems(settings: Node, log: ProblemLog): void {
  const sets = membersOf(memberOf(settings, 'sets')?.value);
  for (const { key, keyNode } of sets) {
    if (NAME.test(key)) continue;
    const advice =
      'use letters, digits, ".", "_" and "-", at most 64, and begin with a letter or digit';
    log.problem('wrong-value', keyNode, 'is not a name that a set can have', advice);
  }
  const names = sets.map(({ key }) => key);
  const all = names.length === 0 ? 'define it in "sets"' : `sets: ${names.join(', ')}`;
  const auth = memberOf(settings, 'auth')?.value;
  const holders = [
    ...(memberOf(auth, 'keys')?.value.children ?? []),
    ...membersOf(memberOf(settings, 'roles')?.value).map(({ value }) => value),
  ];
  for (const holder of holders) {
    const set = memberOf(holder, 'set')?.value;
    if (typeof set?.value !== 'string' || names.includes(set.value)) continue;
    const advice = didYouMean(set.value, names, all);
    log.problem('wrong-value', set, 'is not a set in this file', advice);
  }
}
