/** Reads and replaces text files. Errors of the system become a `FileFailure`. */

import {
  NotAFile,
  readPlainFileSync,
  replaceFile,
  utf8Text,
  whileEditing,
  writeAdvice,
} from '@callsign/config';
import { withoutBom } from '@callsign/core';

import { FileFailure } from './file-failure.js';

/** The text of the file without a byte order mark; `undefined` if there is no file. */
export function readText(file: string): string | undefined {
  const text = readWholeText(file);
  return text === undefined ? undefined : withoutBom(text);
}

/** The text with its byte order mark, for a backup; `undefined` if there is no file. */
export function readWholeText(file: string): string | undefined {
  const bytes = readBytes(file);
  return bytes && textOf(file, bytes);
}

/** The content of the file; `undefined` if there is no file. */
export function readBytes(file: string): Uint8Array | undefined {
  try {
    return readPlainFileSync(file);
  } catch (error) {
    const { code } = error as NodeJS.ErrnoException;
    if (code === 'ENOENT') return undefined;
    if (error instanceof NotAFile) throw new FileFailure('cannot-read', error.message);
    const message = `Cannot read ${file} (${code}). Check the path and its permissions.`;
    throw new FileFailure('cannot-read', message);
  }
}

/** The text of these bytes. Refuses bytes that a change of the file would destroy. */
export function textOf(file: string, bytes: Uint8Array): string {
  const text = utf8Text(bytes);
  if (text !== undefined) return text;
  throw new FileFailure('not-utf8', `${file} is not UTF-8 text. Save it as UTF-8 and try again.`);
}

/** Runs a change of the file while no other command changes it. */
export async function whileChanging<T>(path: string, run: () => T): Promise<T> {
  let isLocked = false;
  try {
    return await whileEditing(path, async () => {
      isLocked = true;
      return run();
    });
  } catch (error) {
    throw isLocked ? error : cannotWrite(path, error);
  }
}

/**
 * Replaces the file in one step. A symbolic link stays, and its target is replaced. `mode`: its permissions. Default:
 * those of the file; a new file is for its owner only.
 */
export function replaceText(path: string, text: string, options: { mode?: number } = {}): void {
  try {
    replaceFile(path, text, { throughLinks: true, ...options });
  } catch (error) {
    throw cannotWrite(path, error);
  }
}

function cannotWrite(path: string, error: unknown): FileFailure {
  const { code, message: why } = error as NodeJS.ErrnoException;
  const message = `Cannot write ${path} (${code ?? why}). To correct this, ${writeAdvice(code)}.`;
  return new FileFailure('cannot-write', message);
}
