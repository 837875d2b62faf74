/** Remembers valid configurations, so that the next start can answer before its check. */

import { createHash } from 'node:crypto';
import { readFileSync } from 'node:fs';
import { join } from 'node:path';

import { replaceFile } from '@callsign/config/replace-file';
import { stateFolder } from '@callsign/config/state-folder';

import { VERSION } from '../command/version.js';

/** How many are kept, the newest. */
const MOST = 32;

export function isKnownGood(file: string): boolean {
  const mark = fingerprint(file);
  return mark !== undefined && known().includes(mark);
}

/** Does nothing if the file changed after `mark` was taken: the checked text is unknown then. */
export function rememberGood(file: string, mark: string | undefined): void {
  const before = known();
  if (mark === undefined || mark !== fingerprint(file) || before.includes(mark)) return;
  try {
    replaceFile(memoryFile(), `${[...before, mark].slice(-MOST).join('\n')}\n`);
  } catch {
    // The disk is full, or the folder cannot be written.
  }
}

function memoryFile(): string {
  return join(stateFolder(), 'good-configs');
}

function known(): string[] {
  try {
    return readFileSync(memoryFile(), 'utf8').split('\n').filter(Boolean);
  } catch {
    return [];
  }
}

/** Covers our version too, which may check differently. `undefined`: the file is unreadable. */
export function fingerprint(file: string): string | undefined {
  try {
    const hash = createHash('sha256').update(`${VERSION}\n${file}\n`);
    return hash.update(readFileSync(file)).digest('hex');
  } catch {
    return undefined;
  }
}
