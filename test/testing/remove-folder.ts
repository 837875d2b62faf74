import { rmSync } from 'node:fs';

/** Removes a folder, also while something writes into it: what was written meanwhile is removed too. */
export function removeFolder(folder: string): void {
  rmSync(folder, { recursive: true, force: true, maxRetries: 10, retryDelay: 20 });
}
