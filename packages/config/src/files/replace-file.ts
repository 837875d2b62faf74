/** Puts a text in place of a file's: readers see the old one or the new one, never a part. */

import { randomBytes } from 'node:crypto';
import {
  closeSync,
  fsyncSync,
  mkdirSync,
  openSync,
  realpathSync,
  renameSync,
  rmSync,
  statSync,
  writeFileSync,
} from 'node:fs';
import { dirname } from 'node:path';

export interface ReplaceOptions {
  /** Permissions. Absent: those that the file has, and for a new file the owner's alone. */
  readonly mode?: number;
  /** Replaces what a symbolic link leads to. Otherwise the link itself is replaced. */
  readonly throughLinks?: boolean;
  /** Waits until the text is on disk, so that a power failure leaves one of the two. */
  readonly isDurable?: boolean;
}

/** Files that we make may hold secrets. */
const OWNER_ONLY = 0o600;
const OWNER_ONLY_FOLDER = 0o700;

/** Makes missing folders too. Throws what the file system says; then nothing has changed. */
export function replaceFile(path: string, text: string, options: ReplaceOptions = {}): void {
  const { throughLinks = false, isDurable = false } = options;
  const file = throughLinks ? realPath(path) : path;
  const mode = options.mode ?? modeOf(file);
  const draft = `${file}.${randomBytes(6).toString('hex')}.tmp`;
  try {
    mkdirSync(dirname(file), { recursive: true, mode: OWNER_ONLY_FOLDER });
    const handle = openSync(draft, 'wx', mode);
    try {
      writeFileSync(handle, text);
      if (isDurable) fsyncSync(handle);
    } finally {
      closeSync(handle);
    }
    renameSync(draft, file);
  } catch (error) {
    rmSync(draft, { force: true });
    throw error;
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
