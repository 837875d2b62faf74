/** Compares requirements and findings with what a run of the tests has shown. */

/** A finished test: whether it passed, and the ids that `shows` recorded on it or that its title cites. */
export interface Evidence {
  readonly passed: boolean;
  readonly ids: readonly string[];
}

/** Those of a register that no passed test has shown. */
export function notShown<T extends { readonly id: string }>(
  register: readonly T[],
  evidence: Iterable<Evidence>,
): readonly T[] {
  const shown = new Set<string>();
  for (const { passed, ids } of evidence) {
    if (passed) for (const id of ids) shown.add(id);
  }
  return register.filter(({ id }) => !shown.has(id));
}
