/** Loads an adapter from a file. */

import { readFile } from 'node:fs/promises';

import { fileProblem } from '@callsign/config/problems';

import type { AdapterProblemCode } from './adapter-problem.js';
import { type AdapterResult, parseAdapter } from './parse-adapter.js';

/** Never rejects: an unreadable file is reported as a problem. */
export async function loadAdapter(file: string): Promise<AdapterResult> {
  let bytes: Uint8Array;
  try {
    bytes = await readFile(file);
  } catch (error) {
    const { code } = error as NodeJS.ErrnoException;
    return code === 'ENOENT' || code === 'ENOTDIR'
      ? failure(file, 'file-not-found', 'does not exist', 'check the path')
      : failure(
          file,
          'file-unreadable',
          `cannot be read (${code})`,
          'check the path, and that you may read the file',
        );
  }
  try {
    return parseAdapter(new TextDecoder('utf-8', { fatal: true }).decode(bytes), file);
  } catch {
    return failure(file, 'file-not-utf8', 'is not UTF-8 text', 'save it as UTF-8');
  }
}

function failure(
  file: string,
  code: AdapterProblemCode,
  message: string,
  advice: string,
): AdapterResult {
  return { ok: false, problems: [fileProblem(code, file, message, advice)] };
}
