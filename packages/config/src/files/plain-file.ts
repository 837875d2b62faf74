/** Reads only what ends: a file, or what a shell writes into a pipe. A device does not, nor a pipe without a writer. */

import {
  closeSync,
  constants,
  fstatSync,
  openSync,
  readFileSync,
  statSync,
  type Stats,
} from 'node:fs';
import { open, readFile, stat } from 'node:fs/promises';

/** Opens a pipe without waiting for a writer. Windows has no such flag. */
const AT_ONCE = constants.O_RDONLY | (constants.O_NONBLOCK ?? 0);

/** It is something else than a file, such as "a folder". */
export class NotAFile extends Error {
  override readonly name = 'NotAFile';
  readonly kind: string;

  constructor(file: string, kind: string) {
    super(`${file} is ${kind}, not a file.`);
    this.kind = kind;
  }
}

/** Rejects with a `NotAFile`, or with an error of the system. */
export async function readPlainFile(file: string): Promise<Buffer> {
  const found = await stat(file);
  check(file, found);
  if (!found.isFile()) return readFile(file);
  // Something else may have taken its place meanwhile.
  const handle = await open(file, AT_ONCE);
  try {
    check(file, await handle.stat());
    return await handle.readFile();
  } finally {
    await handle.close();
  }
}

export function readPlainFileSync(file: string): Buffer {
  const found = statSync(file);
  check(file, found);
  if (!found.isFile()) return readFileSync(file);
  const opened = openSync(file, AT_ONCE);
  try {
    check(file, fstatSync(opened));
    return readFileSync(opened);
  } finally {
    closeSync(opened);
  }
}

/** What `<(…)` and a pipe to standard input are called. They can be read once. */
const SHELL_PIPE = /^\/(?:dev\/stdin|(?:dev|proc\/(?:self|\d+))\/fd\/\d+)$/;

export function isShellPipe(file: string, found: Stats): boolean {
  return SHELL_PIPE.test(file) && (found.isFIFO() || found.isSocket());
}

function check(file: string, found: Stats): void {
  if (!found.isFile() && !isShellPipe(file, found)) throw new NotAFile(file, kindOf(found));
}

function kindOf(found: Stats): string {
  if (found.isDirectory()) return 'a folder';
  if (found.isFIFO()) return 'a pipe';
  return found.isSocket() ? 'a socket' : 'a device';
}

/**
 * The text, with its byte order mark if it has one. `undefined`: the bytes are not UTF-8, and writing
 * the text back would destroy some of them.
 */
export function utf8Text(bytes: Uint8Array): string | undefined {
  try {
    return new TextDecoder('utf-8', { fatal: true, ignoreBOM: true }).decode(bytes);
  } catch {
    return undefined;
  }
}
