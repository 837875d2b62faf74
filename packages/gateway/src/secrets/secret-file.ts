/** A secret in a file of its own. It must be a regular file that only this user can read. */

import { constants } from 'node:fs';
import { open, type FileHandle } from 'node:fs/promises';

import { utf8Text, type Secret } from '@callsign/config';

const MAX_BYTES = 65_536;
const OF_OTHERS = 0o077;

/** Never rejects. One line end at the end of the file is not part of the secret. */
export async function readSecretFile(path: string): Promise<Secret> {
  let handle: FileHandle;
  try {
    // Without waiting: a pipe without a writer would never open.
    handle = await open(path, constants.O_RDONLY | (constants.O_NONBLOCK ?? 0));
  } catch (error) {
    const { code } = error as NodeJS.ErrnoException;
    if (code === 'ENOENT' || code === 'ENOTDIR') return { fault: 'does not exist' };
    return { fault: `cannot be read (${code})` };
  }
  try {
    return await readChecked(handle);
  } catch (error) {
    return { fault: `cannot be read (${(error as NodeJS.ErrnoException).code})` };
  } finally {
    await handle.close();
  }
}

/** What was opened is what is checked: the path may lead elsewhere by now. */
async function readChecked(handle: FileHandle): Promise<Secret> {
  const found = await handle.stat();
  if (!found.isFile()) return { fault: 'is not a regular file' };
  // Windows has no such modes and owners.
  if (process.platform !== 'win32') {
    if (found.uid !== process.getuid?.()) return { fault: 'belongs to another user' };
    if ((found.mode & OF_OTHERS) !== 0) return { fault: 'can be read or written by others' };
  }
  if (found.size > MAX_BYTES) return { fault: `is larger than ${MAX_BYTES / 1024} KB` };
  const text = utf8Text(await handle.readFile());
  if (text === undefined) return { fault: 'is not UTF-8 text' };
  const value = text.replace(/\r?\n$/, '');
  return value === '' ? { fault: 'is empty' } : { value };
}
