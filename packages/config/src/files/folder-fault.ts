/** Finds out whether files can be written to a folder, and what to do if not. */

import { rmSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';

import { makeFolder } from './make-folder.js';

/**
 * Creates the folder and writes a file there for a moment. Returns the code of the error, such as
 * `EACCES`; `undefined` if it worked.
 */
export function folderFault(
  folder: string,
  write: (file: string) => void = writeByte,
): string | undefined {
  try {
    makeFolder(folder);
    write(join(folder, `probe-${process.pid}.tmp`));
    return undefined;
  } catch (error) {
    const { code = 'unknown' } = error as NodeJS.ErrnoException;
    return code;
  }
}

/** Permissions alone do not tell: the disk may be full. */
function writeByte(file: string): void {
  try {
    writeFileSync(file, 'x', { mode: 0o600 });
  } finally {
    rmSync(file, { force: true });
  }
}

/** What a person can do about it: the end of a sentence. `code`: the error of the system, such as `EACCES`. */
export function writeAdvice(code: string | undefined): string {
  if (code === 'ENOSPC') return 'free some space on that disk';
  if (code === 'EDQUOT') return 'free some space: the disk quota of this user is used up';
  return 'allow this user to write there';
}
