// What is mutated, and which tests may kill a mutant. This is the only place that names folders.
import { existsSync, readdirSync } from 'node:fs';
import { join, relative, sep } from 'node:path';
import { fileURLToPath } from 'node:url';

export const ROOT = fileURLToPath(new URL('../..', import.meta.url));

/** A group is one line of the result table. Tests are those beside the code, never the end-to-end tests. */
const GROUPS = [
  { name: 'naming', sources: 'packages/naming/src' },
  { name: 'effects', sources: 'packages/effects/src' },
  { name: 'core', sources: 'packages/core/src' },
  {
    name: 'policy',
    sources: 'packages/governance/src/policy',
    tests: ['packages/governance/src/policy', 'packages/gateway/src/config'],
  },
  {
    name: 'roles',
    sources: 'packages/governance/src/roles',
    tests: ['packages/governance/src/roles', 'packages/gateway/src/config'],
  },
  {
    name: 'reach',
    sources: 'packages/governance/src/reach',
    tests: ['packages/governance/src/reach', 'packages/governance/src/roles'],
  },
  { name: 'gate', sources: 'packages/governance/src/gate' },
  { name: 'audit', sources: 'packages/audit/src' },
];

/** At least this share of the mutants must be killed. Accepted survivors count as survivors. */
export const LOWEST_SCORE = 0.85;
/** At most this share of the mutants may survive without a reason in accepted.json. */
export const MOST_UNEXPLAINED = 0.1;

/** The groups with their files, all relative to the repository and with forward slashes. */
export function readGroups() {
  return GROUPS.map(({ name, sources, tests = [sources] }) => ({
    name,
    files: filesIn(sources).filter((file) => !/\.(test|d)\.ts$|\/(testing|generated)\//.test(file)),
    tests: tests.flatMap(filesIn).filter((file) => file.endsWith('.test.ts')),
  }));
}

function filesIn(folder) {
  const path = join(ROOT, folder);
  if (!existsSync(path))
    throw new Error(`scripts/mutation/scope.mjs names ${folder}, which is missing`);
  return readdirSync(path, { recursive: true, withFileTypes: true })
    .filter((entry) => entry.isFile() && entry.name.endsWith('.ts'))
    .map((entry) => relative(ROOT, join(entry.parentPath, entry.name)).split(sep).join('/'))
    .toSorted();
}
