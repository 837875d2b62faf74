/** The command as it is published: bundled, so that each start in a test is quick. */

import { spawnSync } from 'node:child_process';
import { createHash } from 'node:crypto';
import {
  cpSync,
  existsSync,
  mkdirSync,
  readdirSync,
  readFileSync,
  renameSync,
  rmSync,
} from 'node:fs';
import { join } from 'node:path';

import { ROOT } from './architecture/tree.js';

/** Within the repository, so that the packages it needs are found. */
const FOLDER = join(ROOT, 'node_modules', '.callsign-command');
const COMMAND = join('packages', 'cli', 'bin', 'callsign.mjs');
const SCRIPT = join('scripts', 'bundle.mjs');
/** The page names its scripts by a hash of their content. */
const CONSOLE = ['index.html', '.inputs.json'].map((name) => join('apps', 'console', 'dist', name));

/** Bundles what is built now, unless that was done before. Returns the file to start. */
export function bundleCommand(): string {
  const folder = join(FOLDER, fingerprint());
  const bin = join(folder, 'bin', 'callsign.mjs');
  if (existsSync(bin)) return bin;
  // Built beside it and then renamed: another run may be doing the same, and older ones use their own.
  const draft = `${folder}.${process.pid}`;
  mkdirSync(join(draft, 'bin'), { recursive: true });
  cpSync(join(ROOT, COMMAND), join(draft, 'bin', 'callsign.mjs'));
  cpSync(join(ROOT, 'packages', 'cli', 'package.json'), join(draft, 'package.json'));
  const args = [join(ROOT, SCRIPT), join(draft, 'bundle')];
  const { status, stderr } = spawnSync(process.execPath, args, { encoding: 'utf8' });
  if (status !== 0) throw new Error(`The command could not be bundled: ${stderr}`);
  try {
    renameSync(draft, folder);
  } catch {
    rmSync(draft, { recursive: true, force: true });
  }
  return bin;
}

/** Changes with every source file: the compiler's own record of them does. */
function fingerprint(): string {
  const records = readdirSync(join(ROOT, 'packages')).map((name) =>
    join('packages', name, 'dist', '.tsbuildinfo'),
  );
  const hash = createHash('sha256');
  for (const file of [...records, ...CONSOLE, COMMAND, SCRIPT, 'package-lock.json']) {
    if (existsSync(join(ROOT, file))) hash.update(readFileSync(join(ROOT, file)));
  }
  return hash.digest('hex').slice(0, 16);
}
