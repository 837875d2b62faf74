/** The command as it is published: bundled, so that it starts fast in tests. */

import { spawnSync } from 'node:child_process';
import { join } from 'node:path';

import { ROOT } from './architecture/tree.js';

/** Bundles what is built now, unless that was done before. Returns the file to start. */
export function bundleCommand(): string {
  const script = join(ROOT, 'scripts', 'bundled-command.mjs');
  const { status, stdout, stderr } = spawnSync(process.execPath, [script], { encoding: 'utf8' });
  if (status !== 0) throw new Error(`The command could not be bundled: ${stderr}`);
  return stdout.trim();
}
