/**
 * Remembers valid configurations by fingerprint, so that the next start can answer before its
 * check.
 */

import { createHash } from 'node:crypto';
import { readFileSync } from 'node:fs';
import { join } from 'node:path';

import { replaceFile } from '@callsign/config/replace-file';
import { stateFolder } from '@callsign/config/state-folder';

import { VERSION } from '@callsign/command/version';

/** How many are kept, the newest. */
const MOST = 32;

/** Whether this exact content was valid at an earlier start. */
export function isKnownGood(file: string): boolean {
  const mark = fingerprint(file);
  return mark !== undefined && known().includes(mark);
}

/**
 * Remembers a valid configuration. `mark` is its fingerprint from before it was read: if it differs from the
 * current one, the file changed meanwhile, and it is unknown which text was checked. If this fails, only the
 * next start is slower.
 */
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

/**
 * Covers our version too: another version may check differently. `undefined`: the file cannot be
 * read.
 */
export function fingerprint(file: string): string | undefined {
  try {
    const hash = createHash('sha256').update(`${VERSION}\n${file}\n`);
    return hash.update(readFileSync(file)).digest('hex');
  } catch {
    return undefined;
  }
}
