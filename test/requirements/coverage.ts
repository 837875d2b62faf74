/** Compares requirements and findings with what a run of the tests has shown. */

/** A finished test, and the ids that `shows` recorded on it or that its title cites. */
export interface Evidence {
  readonly passed: boolean;
  /** This machine cannot run it. Then another machine has to show what it cites. */
  readonly isLeftOut?: boolean;
  readonly ids: readonly string[];
}

/** Those of a register that no passed test has shown, though this machine could. */
export function notShown<T extends { readonly id: string }>(
  register: readonly T[],
  evidence: Iterable<Evidence>,
): readonly T[] {
  const shown = new Set<string>();
  for (const { passed, isLeftOut = false, ids } of evidence) {
    if (passed || isLeftOut) for (const id of ids) shown.add(id);
  }
  return register.filter(({ id }) => !shown.has(id));
}
