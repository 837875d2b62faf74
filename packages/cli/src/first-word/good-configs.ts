/** Configurations that were found good, by the fingerprint of their text: the next start need not wait for the check. */

import { createHash } from 'node:crypto';
import { mkdirSync, readFileSync, renameSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';

import { stateFolder } from '@callsign/gateway/state-folder';

import { VERSION } from '../version.js';

/** Those of which there was word last. */
const MOST = 32;

export function isKnownGood(file: string): boolean {
  try {
    return known().includes(fingerprint(file));
  } catch {
    return false;
  }
}

/** Remembered if it can be; nothing depends on it but a few moments. */
export function rememberGood(file: string): void {
  try {
    const mark = fingerprint(file);
    const before = known();
    if (before.includes(mark)) return;
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

/** Another version of ours may find another thing wrong. */
function fingerprint(file: string): string {
  const hash = createHash('sha256').update(`${VERSION}\n${file}\n`);
  return hash.update(readFileSync(file)).digest('hex');
}
