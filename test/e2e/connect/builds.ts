/** Builds of the command in folders of their own, and of other versions. */

import { cpSync, readdirSync, readFileSync, symlinkSync, writeFileSync } from 'node:fs';
import { dirname, join } from 'node:path';

import { VERSION } from '../../../packages/cli/src/command/version.js';
import { BIN } from '../command.js';

const NEWER = '98.7.6';

/** Returns the file that starts the copy. */
export function copiedBuild(folder: string): string {
  cpSync(dirname(dirname(BIN)), folder, { recursive: true });
  symlinkSync(join(process.cwd(), 'node_modules'), join(folder, 'node_modules'));
  return join(folder, 'bin', 'callsign.cjs');
}

/** Makes a copy newer, as an upgrade in its folder does. */
export function upgrade(bin: string): void {
  const bundle = join(dirname(dirname(bin)), 'bundle');
  let changed = 0;
  for (const name of readdirSync(bundle)) {
    if (!/\.c?js$/.test(name)) continue;
    const file = join(bundle, name);
    const text = readFileSync(file, 'utf8');
    if (!text.includes(`"${VERSION}"`)) continue;
    writeFileSync(file, text.replaceAll(`"${VERSION}"`, `"${NEWER}"`));
    changed++;
  }
  if (changed === 0) throw new Error(`No file in ${bundle} has the version.`);
}
