import { rmSync } from 'node:fs';

const ATTEMPTS = 200;
const PAUSE_MS = 20;

/**
 * Removes a folder, even while something writes into it: what was written meanwhile is removed too. The retries of
 * `rmSync` do not do that: they only try again to remove the folder, not what is in it.
 */
export function removeFolder(folder: string): void {
  for (let attempt = 1; ; attempt++) {
    try {
      return rmSync(folder, { recursive: true, force: true });
    } catch (error) {
      if (attempt === ATTEMPTS || (error as NodeJS.ErrnoException).code !== 'ENOTEMPTY')
        throw error;
    }
    // Waits in this thread: a test is over only when its folder is gone.
    Atomics.wait(new Int32Array(new SharedArrayBuffer(4)), 0, 0, PAUSE_MS);
  }
}
