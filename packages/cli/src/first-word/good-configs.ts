/** Configurations that were found good, by the fingerprint of their text: the next start need not wait for the check. */

import { createHash } from 'node:crypto';
import { mkdirSync, readFileSync, renameSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';

import { stateFolder } from '@callsign/config/state-folder';

import { VERSION } from '../command/version.js';

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
    const memory = memoryFile();
    const fresh = `${memory}.${process.pid}`;
    mkdirSync(stateFolder(), { recursive: true, mode: 0o700 });
    writeFileSync(fresh, `${[...before, mark].slice(-MOST).join('\n')}\n`, { mode: 0o600 });
    renameSync(fresh, memory);
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
