/** The lint engine: runs rules over one subject. */

import type { Finding, Rule } from './rule.js';

/** All findings, sorted by tool, rule and message. So the order of the tools does not matter. */
export function runRules<Subject>(rules: readonly Rule<Subject>[], subject: Subject): Finding[] {
  return rules
    .flatMap((rule) => findingsOf(rule, subject))
    .toSorted(
      (a, b) => compare(a.tool, b.tool) || compare(a.rule, b.rule) || compare(a.message, b.message),
    );
}

function findingsOf<Subject>(rule: Rule<Subject>, subject: Subject): Finding[] {
  const { id, severity, who } = rule;
  return Array.from(rule.check(subject), (flaw) => ({ rule: id, severity, ...flaw, ...who }));
}

/** Compares by code unit, so that the order is the same in every locale. */
function compare(a: string, b: string): number {
  return a < b ? -1 : Number(a > b);
}
