/** Creates a folder. The one place of the product that does. */

import { mkdirSync, statSync } from 'node:fs';
import { dirname } from 'node:path';

/** The default for new folders, since files in them may hold secrets. */
const OWNER_ONLY = 0o700;

/**
 * Creates the folder and those above it, unless they exist. Throws an error with the code of the
 * system, and a sentence for people. `mkdir` of Node with `recursive` is not used: it never ends
 * where the system says that an existing folder does not exist, such as in `/proc`.
 */
export function makeFolder(folder: string, mode: number = OWNER_ONLY): void {
  try {
    makeWithParents(folder, mode);
  } catch (error) {
    const { code = 'unknown' } = error as NodeJS.ErrnoException;
    const message = `The folder ${folder} cannot be created (${code}).`;
    throw Object.assign(new Error(message, { cause: error }), { code, path: folder });
  }
}

function makeWithParents(folder: string, mode: number): void {
  try {
    mkdirSync(folder, { mode });
  } catch (error) {
    if (isFolder(folder)) return;
    const parent = dirname(folder);
    const isMissing = (error as NodeJS.ErrnoException).code === 'ENOENT';
    // In an existing folder, another try fails in the same way.
    if (!isMissing || parent === folder || isFolder(parent)) throw error;
    makeWithParents(parent, mode);
    makeWithParents(folder, mode);
  }
}

function isFolder(path: string): boolean {
  return statSync(path, { throwIfNoEntry: false })?.isDirectory() ?? false;
}
