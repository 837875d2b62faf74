/** Why records cannot be written or read, in words that a client may read: no paths in them. */

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
  ['EMFILE', 'too many files are open'],
  ['ENFILE', 'too many files are open'],
  ['EIO', 'the disk does not take it'],
  ['ENOTDIR', 'its folder cannot be made'],
];

export class AuditTrouble extends Error {
  constructor(reason: string, cause?: unknown) {
    super(reason, { cause });
    this.name = 'AuditTrouble';
  }
}

/** An error of the file system or of the database driver as a trouble. */
export function auditTrouble(error: unknown): AuditTrouble {
  if (error instanceof AuditTrouble) return error;
  const code = codeOf(error);
  const known = REASONS.find(([start]) => code.startsWith(start));
  return new AuditTrouble(known?.[1] ?? 'its file cannot be used', error);
}

export function isMissing(error: unknown): boolean {
  return codeOf(error) === 'ENOENT';
}

/** The file is no database, or not a whole one. */
export function isCorrupt(error: unknown): boolean {
  return /^SQLITE_(CORRUPT|NOTADB|IOERR_SHORT_READ)/.test(codeOf(error));
}

function codeOf(error: unknown): string {
  return String((error as { code?: unknown } | null)?.code ?? '');
}
