/** Loads an adapter from a file. */

import { readFile } from 'node:fs/promises';

import { type AdapterResult, parseAdapter, refused } from './parse-adapter.js';

/** Never rejects: an unreadable file is reported as a problem. */
export async function loadAdapter(file: string): Promise<AdapterResult> {
  let bytes: Uint8Array;
  try {
    bytes = await readFile(file);
  } catch (error) {
    const { code } = error as NodeJS.ErrnoException;
    return code === 'ENOENT' || code === 'ENOTDIR'
      ? refused(file, 'file-not-found', 'does not exist', 'check the path')
      : refused(
          file,
          'file-unreadable',
          `cannot be read (${code})`,
          'check the path, and that you may read the file',
        );
  }
  try {
    return parseAdapter(new TextDecoder('utf-8', { fatal: true }).decode(bytes), file);
  } catch {
    return refused(file, 'file-not-utf8', 'is not UTF-8 text', 'save it as UTF-8');
  }
}
