// The survivors that were reviewed and accepted, each with a reason: accepted.json.
import { existsSync, readFileSync } from 'node:fs';

const LIST = new URL('accepted.json', import.meta.url);

export function readAccepted() {
  const byFile = existsSync(LIST) ? JSON.parse(readFileSync(LIST, 'utf8')) : {};
  return Object.entries(byFile).flatMap(([file, entries]) =>
    entries.map((entry) => ({ nth: 1, ...entry, file })),
  );
}

/** The key of a mutant and of its entry. It holds no line numbers, so edits elsewhere do not change it. */
export function keyOf(mutant) {
  return [mutant.file, mutant.in, mutant.change, mutant.nth].join('\n');
}

/** Problems of the entries: no reason, no such mutant, a killed mutant, or listed twice. */
export function staleEntries(accepted, mutants, results) {
  const known = new Set(mutants.map(keyOf));
  const killed = new Set(
    results.filter(({ state }) => state !== 'survived').map(({ mutant }) => keyOf(mutant)),
  );
  const seen = new Set();
  return accepted.flatMap((entry) => {
    const key = keyOf(entry);
    const problem = !entry.reason
      ? 'has no reason'
      : !known.has(key)
        ? 'names no mutant'
        : killed.has(key)
          ? 'names a mutant that is killed'
          : seen.has(key)
            ? 'is listed twice'
            : undefined;
    seen.add(key);
    return problem === undefined
      ? []
      : [`${entry.file} · ${entry.in} · ${entry.change}: ${problem}`];
  });
}
