// Every check except the tests: format, lint, types, architecture, unused code, prose. Runs all of
// them, then lists those that failed.
import { spawnSync } from 'node:child_process';

import { setUp } from './setup.mjs';

const GATES = [
  ['format', 'oxfmt', ['--check']],
  ['lint', 'oxlint', ['--deny-warnings']],
  ['types', 'tsc', ['-p', 'tsconfig.test.json']],
  ['types of the console', 'tsc', ['-p', 'apps/console']],
  ['architecture', 'vitest', ['run', '--reporter=dot', 'test/architecture']],
  ['unused', 'knip', []],
  ['prose', 'node', ['scripts/prose.mjs']],
];

setUp();
const failed = GATES.filter(([name, command, args]) => {
  console.log(`\n— ${name}`);
  const { status } = spawnSync('npx', ['--no-install', command, ...args], {
    stdio: 'inherit',
    shell: process.platform === 'win32',
  });
  return status !== 0;
}).map(([name]) => name);

console.log(failed.length === 0 ? '\nAll gates pass.' : `\nFailed: ${failed.join(', ')}`);
process.exitCode = failed.length === 0 ? 0 : 1;
