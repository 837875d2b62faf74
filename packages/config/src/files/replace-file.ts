/**
 * Replaces a file. Readers see the old text or the new text, never a part. The one atomic
 * replacement of the product.
 */

import { randomBytes } from 'node:crypto';
import {
  closeSync,
  fsyncSync,
  openSync,
  realpathSync,
  renameSync,
  rmSync,
  statSync,
  writeFileSync,
} from 'node:fs';
import { dirname } from 'node:path';

import { makeFolder } from './make-folder.js';

/** How a file is replaced. */
export interface ReplaceOptions {
  /** Permissions. Default: those of the file; a new file is for its owner only. */
  readonly mode?: number;
  /** Replaces the target of a symbolic link. Default: the link itself is replaced. */
  readonly throughLinks?: boolean;
  /**
   * Waits until the text is on disk, so that a power failure leaves the old text or the new one.
   */
  readonly isDurable?: boolean;
}

/** For new files, since they may hold secrets. */
const OWNER_ONLY = 0o600;

/** Creates missing folders. Throws errors of the file system; then the file is unchanged. */
export function replaceFile(path: string, text: string, options: ReplaceOptions = {}): void {
  const { throughLinks = false, isDurable = false } = options;
  const file = throughLinks ? realPath(path) : path;
  const mode = options.mode ?? modeOf(file);
  const draft = `${file}.${randomBytes(6).toString('hex')}.tmp`;
  try {
    makeFolder(dirname(file));
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

/** The file that a link leads to; the path itself if there is no file. */
export function realPath(path: string): string {
  try {
    return realpathSync(path);
  } catch {
    return path;
  }
}
