/** Builds the packages and the console before a run: tests that start the built command or thread never see old code. */

import { spawnSync } from 'node:child_process';
import { join } from 'node:path';

import type { TestProject } from 'vitest/node';

import { ROOT } from './architecture/tree.js';
import { bundleCommand } from './bundled-command.js';
import { bundleFixtures } from './bundled-fixtures.js';

const TSC = join(ROOT, 'node_modules', 'typescript', 'bin', 'tsc');

export async function setup(project: TestProject): Promise<void> {
  const make = async (): Promise<void> => {
    build();
    bundleLibraries();
    project.provide('callsignCommand', bundleCommand());
    project.provide('fixtures', await bundleFixtures());
  };
  await make();
  project.onTestsRerun(make);
}

function build(): void {
  const { status, error, stdout } = spawnSync(process.execPath, [TSC, '-b', ROOT], {
    encoding: 'utf8',
  });
  if (error) throw error;
  // A type error does not keep tsc from writing its output, so the tests still run on new code.
  if (status !== 0) process.stderr.write(`${stdout}\ntsc -b found errors; the tests run anyway.\n`);
}

/** Servers of examples and tests import the toolkit as its users do. */
function bundleLibraries(): void {
  const script = join(ROOT, 'scripts', 'bundle-library.mjs');
  const { status, stderr } = spawnSync(process.execPath, [script], { encoding: 'utf8' });
  if (status !== 0) throw new Error(`The libraries could not be bundled: ${stderr}`);
}
