/** Finds out whether files can be written to a folder. */

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
