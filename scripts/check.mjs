// Every check of the repository: format, lint, types, unused code, prose, and the tests of its structure and
// its pages. Runs all of them, then lists those that failed.
import { spawnSync } from 'node:child_process';

import { setUp } from './setup.mjs';

// By its path: the older compiler that a dependency brings has the same command.
const TSC = 'node_modules/typescript/bin/tsc';

const GATES = [
  ['format', 'oxfmt', ['--check']],
  ['lint', 'oxlint', ['--deny-warnings']],
  ['types', 'node', [TSC, '-p', 'tsconfig.test.json']],
  ['types of the console', 'node', [TSC, '-p', 'apps/console']],
  ['structure and pages', 'vitest', ['run', '--reporter=dot']],
  ['unused', 'knip', []],
  ['prose', 'node', ['scripts/prose.mjs']],
];

setUp();
const failed = GATES.filter(([name, command, args]) => {
  console.log(`\n— ${name}`);
  const { status } = spawnSync('npx', ['--no-install', command, ...args], {
    stdio: 'inherit',
    shell: process.platform === 'win32',
    // Only for the tests: Knip reads the same configuration, and needs all of them.
    env: command === 'vitest' ? { ...process.env, CALLSIGN_TESTS: 'check' } : process.env,
  });
  return status !== 0;
}).map(([name]) => name);

console.log(failed.length === 0 ? '\nAll gates pass.' : `\nFailed: ${failed.join(', ')}`);
process.exitCode = failed.length === 0 ? 0 : 1;
