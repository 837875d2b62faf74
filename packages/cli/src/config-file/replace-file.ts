/** Writing a file so that at every moment it is there whole: the old one, or the new one. */

import { randomBytes } from 'node:crypto';
import {
  chmodSync,
  mkdirSync,
  realpathSync,
  renameSync,
  rmSync,
  statSync,
  writeFileSync,
} from 'node:fs';
import { dirname } from 'node:path';

import { EXIT } from '../command/exit-code.js';
import { Failure } from '../command/failure.js';

/** Files that we make may hold secrets. */
const OWNER_ONLY = 0o600;

export function replaceFile(path: string, text: string): void {
  // A link stays one; what it leads to is replaced.
  const file = realPath(path);
  const temporary = `${file}.${randomBytes(4).toString('hex')}.tmp`;
  try {
    mkdirSync(dirname(file), { recursive: true });
    writeFileSync(temporary, text, { mode: OWNER_ONLY, flag: 'wx' });
    chmodSync(temporary, modeOf(file));
    renameSync(temporary, file);
  } catch (error) {
    rmSync(temporary, { force: true });
    const { code, message: why } = error as NodeJS.ErrnoException;
    const message = `Cannot write ${path} (${code ?? why}). Allow this user to write there.`;
    throw new Failure({ exit: EXIT.usage, code: 'cannot-write', message });
  }
}

function modeOf(file: string): number {
  try {
    return statSync(file).mode & 0o777;
  } catch {
    return OWNER_ONLY;
  }
}

function realPath(path: string): string {
  try {
    return realpathSync(path);
  } catch {
    return path;
  }
}
