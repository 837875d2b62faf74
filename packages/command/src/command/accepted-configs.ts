/**
 * Remembers which configurations a person has accepted, by path and content. A project may contain a
 * callsign.json from someone else, so its servers do not run before a person accepts it.
 */

import { createHash } from 'node:crypto';
import { readFileSync, realpathSync } from 'node:fs';
import { join } from 'node:path';

import { replaceFile } from '@callsign/config/replace-file';
import { stateFolder } from '@callsign/config/state-folder';

import type { ConfigPlace } from './config-path.js';

/** How many are remembered, the newest. */
const MOST = 1_000;

/**
 * Whether a person must accept the file first. Only a file found in the current folder needs that.
 */
export function needsYes({ file, origin }: ConfigPlace): boolean {
  if (origin !== 'folder') return false;
  const mark = markOf(file);
  return mark !== undefined && !marks().includes(mark);
}

/** Whether this path was accepted with its current content. */
export function isAccepted(file: string): boolean {
  const mark = markOf(file);
  return mark !== undefined && marks().includes(mark);
}

/** Accepts the file as it is now. False if that cannot be remembered, such as on a full disk. */
export function acceptConfig(file: string): boolean {
  const mark = markOf(file);
  const before = marks();
  if (mark === undefined) return false;
  if (before.includes(mark)) return true;
  try {
    replaceFile(memoryFile(), `${[...before, mark].slice(-MOST).join('\n')}\n`);
    return true;
  } catch {
    return false;
  }
}

function memoryFile(): string {
  return join(stateFolder(), 'accepted-configs');
}

function marks(): string[] {
  try {
    return readFileSync(memoryFile(), 'utf8').split('\n').filter(Boolean);
  } catch {
    return [];
  }
}

/** The path counts too: the same text in another folder can start other programs. */
function markOf(file: string): string | undefined {
  try {
    const hash = createHash('sha256').update(`${realpathSync(file)}\n`);
    return hash.update(readFileSync(file)).digest('hex');
  } catch {
    return undefined;
  }
}
