/** A copy of a built working copy, as `cp -r` makes it. */

import { spawnSync } from 'node:child_process';
import { cpSync, mkdirSync, realpathSync, rmSync, writeFileSync } from 'node:fs';
import { dirname, join, relative } from 'node:path';

import { expect, it } from 'vitest';

import { ROOT } from '../architecture/tree.js';
import { BIN } from '../e2e/command.js';
import { scratch } from '../testing/scratch.js';

const CLI = join('packages', 'cli');

/** Only the files that decide what the command runs. */
function copiedClone(): string {
  const copy = realpathSync(scratch());
  const bundled = relative(ROOT, dirname(dirname(BIN)));
  for (const path of [bundled, join(CLI, 'bundle'), join(CLI, 'bin')]) {
    mkdirSync(dirname(join(copy, path)), { recursive: true });
    cpSync(join(ROOT, path), join(copy, path), { recursive: true, verbatimSymlinks: true });
  }
  writeFileSync(join(copy, CLI, 'package.json'), '{ "type": "module" }');
  return copy;
}

function run(copy: string): { readonly stdout: string; readonly stderr: string } {
  const bin = join(copy, CLI, 'bin', 'callsign.cjs');
  return spawnSync(process.execPath, [bin, '--version'], { encoding: 'utf8' });
}

it('runs its own bundle (G20)', () => {
  const copy = copiedClone();
  expect(realpathSync(join(copy, CLI, 'bundle')).startsWith(copy)).toBe(true);
  expect(run(copy).stdout).toBe('0.1.0\n');
});

it('says what to do if there is no bundle', () => {
  const copy = copiedClone();
  rmSync(join(copy, CLI, 'bundle'), { recursive: true });
  expect(run(copy).stderr).toBe('Callsign is not built yet. Run: npm run setup\n');
});
