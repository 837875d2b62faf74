/** Reads and replaces text files. Errors of the system become a `FileFailure`. */

import { readFileSync } from 'node:fs';

import { replaceFile } from '@callsign/config';

import { FileFailure } from './file-failure.js';

/** The text of the file without a byte order mark; `undefined` if there is no file. */
export function readText(file: string): string | undefined {
  return readWholeText(file)?.replace(/^\uFEFF/, '');
}

/** The text with its byte order mark, for a backup; `undefined` if there is no file. */
export function readWholeText(file: string): string | undefined {
  try {
    return readFileSync(file, 'utf8');
  } catch (error) {
    const { code } = error as NodeJS.ErrnoException;
    if (code === 'ENOENT') return undefined;
    const message = `Cannot read ${file} (${code}). Check the path and its permissions.`;
    throw new FileFailure('cannot-read', message);
  }
}

/** Replaces the file in one step. A symbolic link stays, and its target is replaced. */
export function replaceText(path: string, text: string): void {
  try {
    replaceFile(path, text, { throughLinks: true });
  } catch (error) {
    const { code, message: why } = error as NodeJS.ErrnoException;
    const message = `Cannot write ${path} (${code ?? why}). Allow this user to write there.`;
    throw new FileFailure('cannot-write', message);
  }
}
