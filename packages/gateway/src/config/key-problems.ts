/** Keys that are valid JSON but certainly mistakes: duplicates, and `__proto__`. */

import type { Node } from 'jsonc-parser';

import { type Member, membersOf } from '@callsign/config';
import type { ProblemLog } from '@callsign/config';

/** The one key that JavaScript does not treat as a key. */
export function logReserved({ key, keyNode }: Member, log: ProblemLog): void {
  if (key !== '__proto__') return;
  log.problem('reserved-key', keyNode, 'is reserved by JavaScript', 'choose another key');
}

/** Duplicate keys: in JSON the later one would win silently. */
export function logTwins(members: readonly Member[], log: ProblemLog): void {
  const seen = new Map<string, Node>();
  for (const { key, keyNode } of members) {
    const earlier = seen.get(key);
    if (earlier === undefined) {
      seen.set(key, keyNode);
      continue;
    }
    const lines = `on line ${log.lineOf(earlier)} and on line ${log.lineOf(keyNode)}`;
    const advice = 'keep one of the two, or give one another key';
    log.problem('duplicate-key', keyNode, `appears twice, ${lines}`, advice);
  }
}

/** Checks the keys of everything in a value. */
export function logProblemsBelow(node: Node, log: ProblemLog): void {
  const members = membersOf(node);
  logTwins(members, log);
  for (const member of members) logReserved(member, log);
  const children = node.type === 'object' ? members.map(({ value }) => value) : node.children;
  for (const child of children ?? []) logProblemsBelow(child, log);
}
