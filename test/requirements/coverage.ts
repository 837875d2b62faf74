/** Compares the requirements with what a run of the tests has shown. */

import type { Requirement } from './requirement.js';

/** A finished test: whether it passed, and the ids that `shows` recorded on it. */
export interface Evidence {
  readonly passed: boolean;
  readonly requirements: readonly string[];
}

/** The requirements that no passed test has shown. */
export function notShown(
  register: readonly Requirement[],
  evidence: Iterable<Evidence>,
): readonly Requirement[] {
  const shown = new Set<string>();
  for (const { passed, requirements } of evidence) {
    if (passed) for (const id of requirements) shown.add(id);
  }
  return register.filter(({ id }) => !shown.has(id));
}
