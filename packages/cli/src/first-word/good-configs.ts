/** Configurations that were found good, by the fingerprint of their text: the next start need not wait for the check. */

import { createHash } from 'node:crypto';
import { readFileSync } from 'node:fs';
import { join } from 'node:path';

import { replaceFile } from '@callsign/config/replace-file';
import { stateFolder } from '@callsign/config/state-folder';

import { VERSION } from '@callsign/command/version';

/** Those of which there was word last. */
const MOST = 32;

export function isKnownGood(file: string): boolean {
  const mark = fingerprint(file);
  return mark !== undefined && known().includes(mark);
}

/**
 * Remembers what was found good, by the fingerprint that it had before it was read: if it has another by now,
 * nobody knows which of the two was checked. Nothing depends on it but a few moments.
 */
export function rememberGood(file: string, mark: string | undefined): void {
  const before = known();
  if (mark === undefined || mark !== fingerprint(file) || before.includes(mark)) return;
  try {
    replaceFile(memoryFile(), `${[...before, mark].slice(-MOST).join('\n')}\n`);
  } catch {
    // A full disk, or a folder that is not ours.
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

/** Of its text, and of our version, which may find another thing wrong than the last. None if it cannot be read. */
export function fingerprint(file: string): string | undefined {
  try {
    const hash = createHash('sha256').update(`${VERSION}\n${file}\n`);
    return hash.update(readFileSync(file)).digest('hex');
  } catch {
    return undefined;
  }
}
