/** Why a store does not take records, in words that a client may read: no paths in them. */

const REASONS: readonly (readonly [code: string, reason: string])[] = [
  ['SQLITE_FULL', 'the disk is full'],
  ['SQLITE_READONLY', 'its file is read-only'],
  ['SQLITE_BUSY', 'its file is locked by another program'],
  ['SQLITE_LOCKED', 'its file is locked by another program'],
  ['SQLITE_CORRUPT', 'its file is corrupt'],
  ['SQLITE_NOTADB', 'its file is corrupt'],
  ['SQLITE_CANTOPEN', 'its file cannot be opened'],
  ['SQLITE_IOERR', 'the disk does not take it'],
  ['SQLITE_PERM', 'its file must not be written'],
  ['EACCES', 'its file must not be written'],
  ['EPERM', 'its file must not be written'],
  ['EROFS', 'its file is read-only'],
  ['ENOSPC', 'the disk is full'],
  ['EDQUOT', 'the disk quota is used up'],
  ['ENOTDIR', 'its folder cannot be made'],
];

export class StoreTrouble extends Error {
  constructor(reason: string, cause?: unknown) {
    super(reason, { cause });
    this.name = 'StoreTrouble';
  }
}

/** An error of the driver or of the file system as a trouble. */
export function storeTrouble(error: unknown): StoreTrouble {
  if (error instanceof StoreTrouble) return error;
  const code = codeOf(error);
  const known = REASONS.find(([start]) => code.startsWith(start));
  return new StoreTrouble(known?.[1] ?? 'its file cannot be used', error);
}

/** What is in the file is no database, or not a whole one. */
export function isCorrupt(error: unknown): boolean {
  return /^SQLITE_(CORRUPT|NOTADB|IOERR_SHORT_READ)/.test(codeOf(error));
}

function codeOf(error: unknown): string {
  return String((error as { code?: unknown } | null)?.code ?? '');
}
