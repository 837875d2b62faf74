/** `npx` without a download: runs the servers from npm that this repository has installed, and those of a test. */

import { chmodSync, mkdirSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';

import { ROOT } from '../../architecture/tree.js';
import { describeUnless } from '../../testing/left-out.js';
import { describeInSandbox, ordinaryFolder } from '../sandbox/sandboxes.js';

const PROGRAM = join(import.meta.dirname, 'npx-program.mjs');

/** A PATH with that `npx`. `own`: the code of servers by the names of their packages. */
export function pathWithNpx(own: Readonly<Record<string, string>> = {}): string {
  const bin = join(ordinaryFolder(), 'bin');
  mkdirSync(bin);
  for (const [name, code] of Object.entries(own)) writeFileSync(join(bin, `${name}.mjs`), code);
  writeFileSync(join(bin, 'npx'), `#!${process.execPath}\nimport(${JSON.stringify(PROGRAM)});\n`);
  chmodSync(join(bin, 'npx'), 0o755);
  return `${bin}:${process.env['PATH'] ?? ''}`;
}

const isTemporary = ['/tmp/', '/var/tmp/', `${tmpdir()}/`].some((folder) =>
  ROOT.startsWith(folder),
);
const isHere = process.platform === 'win32' || isTemporary;

/** For tests in which that `npx` runs in a sandbox. */
export function describeWithNpx(title: string, suite: () => void): void {
  const missing = 'a sandbox hides the temporary folder that this clone is in; move the clone';
  if (isHere) describeUnless(missing, title, suite);
  else describeInSandbox(title, suite);
}
