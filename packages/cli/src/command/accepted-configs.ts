/**
 * Remembers which configurations a person has accepted, by path and content. A project may contain a
 * callsign.json from someone else, so its servers do not run before a person accepts it.
 */

import { createHash } from 'node:crypto';
import { appendFileSync, readFileSync, realpathSync, statSync } from 'node:fs';
import { dirname, join } from 'node:path';

import { homeIn } from '@callsign/config/home';
import { makeFolder } from '@callsign/config/make-folder';
import { replaceFile } from '@callsign/config/replace-file';
import { stateFolder } from '@callsign/config/state-folder';

import type { ConfigPlace } from './config-path.js';
import type { Where } from './shell.js';

/** How many are remembered at least, the newest. */
const MOST = 1_000;

/**
 * Whether a person must accept this content of the file first. Only a file found in the current
 * folder needs that. Default: the content that it has now.
 */
export function needsYes(
  { file, origin }: ConfigPlace,
  env: Where['env'],
  bytes: Uint8Array | undefined = contentOf(file),
): boolean {
  return origin === 'folder' && bytes !== undefined && !isAccepted(file, bytes, env);
}

/** Whether this path was accepted with this content. */
export function isAccepted(file: string, bytes: Uint8Array, env: Where['env']): boolean {
  const mark = markOf(file, bytes);
  return mark !== undefined && marksIn(textOf(memoryFile(env))).includes(mark);
}

/**
 * Accepts this content, which the file need not have any more. Returns the error of the system if
 * that cannot be remembered, such as `ENOSPC`. Processes that accept at once only append, so none
 * loses a mark.
 */
export function acceptConfig(
  file: string,
  bytes: Uint8Array,
  env: Where['env'],
): string | undefined {
  const mark = markOf(file, bytes);
  const memory = memoryFile(env);
  const text = textOf(memory);
  const before = marksIn(text);
  if (mark === undefined) return 'ENOENT';
  if (before.includes(mark)) return undefined;
  // A full disk may have cut off the last mark. It must not be joined with this one.
  const start = text === '' || text.endsWith('\n') ? '' : '\n';
  try {
    makeFolder(dirname(memory));
    appendFileSync(memory, `${start}${mark}\n`, { mode: 0o600 });
    if (before.length >= 2 * MOST)
      replaceFile(memory, `${marksIn(textOf(memory)).slice(-MOST).join('\n')}\n`);
    return undefined;
  } catch (error) {
    return (error as NodeJS.ErrnoException).code ?? 'unknown';
  }
}

function memoryFile(env: Where['env']): string {
  return join(stateFolder(homeIn(env)), 'accepted-configs');
}

function marksIn(text: string): string[] {
  return text.split('\n').filter(Boolean);
}

function textOf(memory: string): string {
  try {
    return readFileSync(memory, 'utf8');
  } catch {
    return '';
  }
}

/** The path counts too: the same text in another folder can start other programs. */
function markOf(file: string, bytes: Uint8Array): string | undefined {
  try {
    const hash = createHash('sha256').update(`${realpathSync(file)}\n`);
    return hash.update(bytes).digest('hex');
  } catch {
    return undefined;
  }
}

function contentOf(file: string): Uint8Array | undefined {
  try {
    // Anything else could block, or can be read only once. It cannot be accepted.
    return statSync(file).isFile() ? readFileSync(file) : undefined;
  } catch {
    return undefined;
  }
}
