/**
 * Saves a binary answer in a folder that the operator allows. The server may suggest a name, never
 * a path.
 */

import { open, realpath, unlink } from 'node:fs/promises';
import { join } from 'node:path';

import { makeFolder } from '@callsign/config/make-folder';

import { ProtocolError } from '../protocol/protocol-error.js';

/** What the caller gets instead of the bytes. */
export interface SavedFile {
  readonly content_type: string;
  readonly size: number;
  readonly path: string;
}

export interface Download {
  readonly bytes: Uint8Array;
  readonly contentType: string;
  /** The header `content-disposition`, which may suggest a name. */
  readonly disposition: string | undefined;
  /** The name if the server suggests none. */
  readonly operation: string;
}

/** The limit of a saved answer, in bytes. */
export const MAX_DOWNLOAD: number = 100 * 1024 * 1024;
/**
 * Characters. At 4 bytes each, with number and extension, a name stays below the limit of 255
 * bytes.
 */
const MAX_STEM = 50;
const MAX_SAME_NAME = 999;
/** Where the subtype is not the usual ending. */
const ENDINGS: Readonly<Record<string, string>> = {
  'application/gzip': 'gz',
  'audio/mpeg': 'mp3',
  'image/jpeg': 'jpg',
  'image/svg+xml': 'svg',
  'text/plain': 'txt',
};
/** Names of devices on Windows, with any extension. */
const DEVICE = /^(?:con|prn|aux|nul|com\d|lpt\d)$/i;

export async function saveFile(download: Download, folder: string): Promise<SavedFile> {
  const { bytes, contentType } = download;
  try {
    makeFolder(folder);
    const path = await writeNew(await realpath(folder), fileName(download), bytes);
    return { content_type: contentType, size: bytes.length, path };
  } catch (error) {
    if (error instanceof ProtocolError) throw error;
    const { code = 'unknown' } = error as NodeJS.ErrnoException;
    const message = `The answer cannot be saved in the folder for downloads (${code}). The owner of the adapter can check the folder.`;
    throw new ProtocolError('INTERNAL_ERROR', message, { reason: code });
  }
}

interface FileName {
  readonly stem: string;
  readonly ending: string;
}

/** A name of letters, digits, `.`, `_`, `-` and spaces. It starts with a letter, a digit or `_`. */
export function fileName({
  disposition,
  contentType,
  operation,
}: Omit<Download, 'bytes'>): FileName {
  const last = suggested(disposition).split(/[/\\]/).at(-1)!;
  const [, named = last, given] = /^(.+)\.([A-Za-z0-9]{1,8})$/su.exec(last) ?? [];
  const plain = named
    .normalize('NFC')
    .replace(/[^\p{L}\p{N}._ -]+/gu, '_')
    .replace(/^[. -]+/u, '');
  const cut = Array.from(plain)
    .slice(0, MAX_STEM)
    .join('')
    .replace(/[. ]+$/u, '');
  const [first = ''] = cut.split('.', 1);
  const stem = cut === '' ? operation : DEVICE.test(first) ? `_${cut}` : cut;
  return { stem, ending: given ?? endingOf(contentType) };
}

/** `filename*` can contain more than ASCII, so it has precedence. */
function suggested(disposition: string | undefined): string {
  const header = (disposition ?? '').slice(0, 2000);
  const [, encoded] = /;\s*filename\*\s*=\s*utf-8'[^']*'([^;\s]+)/i.exec(header) ?? [];
  const [, quoted, bare] =
    /;\s*filename\s*=\s*(?:"((?:[^"\\]|\\.)*)"|([^;\s]+))/i.exec(header) ?? [];
  try {
    if (encoded !== undefined) return decodeURIComponent(encoded);
  } catch {
    // With a wrong encoding the plain name counts.
  }
  return quoted?.replace(/\\(.)/g, '$1') ?? bare ?? '';
}

function endingOf(contentType: string): string {
  const type = contentType.split(';', 1)[0]!.trim().toLowerCase();
  const [, subtype = ''] = type.split('/');
  return ENDINGS[type] ?? (/^[a-z0-9]{1,5}$/.test(subtype) ? subtype : 'bin');
}

/** Never replaces a file: `wx` creates a new one or fails, and does not follow links. */
async function writeNew(
  folder: string,
  { stem, ending }: FileName,
  bytes: Uint8Array,
): Promise<string> {
  for (let i = 1; i <= MAX_SAME_NAME; i++) {
    const path = join(folder, `${stem}${i === 1 ? '' : `-${i}`}.${ending}`);
    const file = await open(path, 'wx', 0o600).catch((error: NodeJS.ErrnoException) => {
      if (error.code === 'EEXIST') return undefined;
      throw error;
    });
    if (!file) continue;
    try {
      await file.writeFile(bytes);
    } catch (error) {
      await unlink(path).catch(() => undefined);
      throw error;
    } finally {
      await file.close();
    }
    return path;
  }
  const message = `The folder for downloads has ${MAX_SAME_NAME} files of this name. The owner of the adapter can remove some.`;
  throw new ProtocolError('CONFLICT_ALREADY_EXISTS', message);
}
