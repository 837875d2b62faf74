/** Server keys that were changed, once or several times, and their current keys. */

export interface RenamedKeys {
  /** Old key → current key. */
  readonly current: ReadonlyMap<string, string>;
  /** Old keys that lead back to themselves. */
  readonly loops: readonly string[];
}

/** Follows each old key to its current one. */
export function followRenames(renamed: Readonly<Record<string, string>>): RenamedKeys {
  const steps = new Map(Object.entries(renamed));
  const current = new Map<string, string>();
  const loops: string[] = [];
  for (const oldKey of steps.keys()) {
    const seen = new Set<string>();
    let key = steps.get(oldKey)!;
    while (steps.has(key) && !seen.has(key)) {
      seen.add(key);
      key = steps.get(key)!;
    }
    if (seen.has(key)) loops.push(oldKey);
    else current.set(oldKey, key);
  }
  return { current, loops };
}
