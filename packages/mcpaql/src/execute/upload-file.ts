/**
 * Reads a file of the caller: content in base64, or a path inside the folders that the adapter
 * allows.
 */

import { readFile, realpath, stat } from 'node:fs/promises';
import { basename, dirname, isAbsolute, relative, resolve, sep } from 'node:path';

import { tooLarge } from '../protocol/limits.js';
import { ProtocolError } from '../protocol/protocol-error.js';

/** A path outside these folders is refused, even through a link. */
export interface UploadFolders {
  /** Folders, relative to the adapter's file. */
  readonly files: readonly string[];
  readonly adapterFile: string;
}

/** The limit of a file, in bytes. */
const MAX_BYTES = 20 * 1024 * 1024;

/** `value` has passed the type check. */
export async function readUpload(
  value: unknown,
  folders: UploadFolders,
  name: string,
): Promise<File> {
  const { path, base64, name: given, type = '' } = value as Record<string, string | undefined>;
  if (path === undefined) {
    return new File([Buffer.from(base64!, 'base64')], basename(given ?? 'file'), { type });
  }
  const file = await allowedFile(path, folders, name);
  const { size } = await stat(file);
  if (size > MAX_BYTES) throw tooLarge('request_size', MAX_BYTES, size, 'bytes');
  return new File([await readFile(file)], basename(given ?? file), { type });
}

/** Links are resolved first: a link inside a folder may point outside. */
async function allowedFile(
  path: string,
  { files, adapterFile }: UploadFolders,
  name: string,
): Promise<string> {
  const base = resolve(dirname(adapterFile));
  const folders = files.map((folder) => resolve(base, folder));
  const wanted =
    folders.length === 0
      ? undefined
      : await realpath(resolve(folders[0]!, path)).catch(() => undefined);
  for (const folder of wanted === undefined ? [] : folders) {
    const inside = relative(await realpath(folder).catch(() => folder), wanted!);
    if (inside !== '' && !inside.startsWith(`..${sep}`) && inside !== '..' && !isAbsolute(inside))
      return wanted!;
  }
  const message =
    folders.length === 0
      ? `Parameter '${name}': this adapter may not read files; send the content as base64. Its owner can allow folders in target.files.`
      : `Parameter '${name}': there is no such file in the folders that this adapter may read.`;
  throw new ProtocolError('PERMISSION_DENIED', message, { param_name: name });
}
