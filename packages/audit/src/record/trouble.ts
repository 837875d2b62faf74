/** Why records cannot be written or read, in words that clients may see. They contain no paths. */

const REASONS: readonly (readonly [code: string, reason: string])[] = [
  ['SQLITE_FULL', 'the disk is full'],
  ['SQLITE_READONLY', 'its file is read-only'],
  ['SQLITE_BUSY', 'its file is locked by another program'],
  ['SQLITE_LOCKED', 'its file is locked by another program'],
  ['SQLITE_CORRUPT', 'its file is corrupt'],
  ['SQLITE_NOTADB', 'its file is corrupt'],
  ['SQLITE_CANTOPEN', 'its file cannot be opened'],
  ['SQLITE_IOERR', 'the disk reports an error'],
  ['SQLITE_PERM', 'writing to its file is not permitted'],
  ['EACCES', 'writing to its file is not permitted'],
  ['EPERM', 'writing to its file is not permitted'],
  ['EROFS', 'its file is read-only'],
  ['ENOSPC', 'the disk is full'],
  ['EDQUOT', 'the disk quota is used up'],
  ['EMFILE', 'too many files are open'],
  ['ENFILE', 'too many files are open'],
  ['EIO', 'the disk reports an error'],
  ['ENOTDIR', 'its folder cannot be created'],
  ['EISDIR', 'its file is a folder'],
];

/** An error whose message is a reason for people. */
export class AuditTrouble extends Error {
  constructor(reason: string, cause?: unknown) {
    super(reason, { cause });
    this.name = 'AuditTrouble';
  }
}

/** Turns an error of the file system or of the database driver into a reason. */
export function auditTrouble(error: unknown): AuditTrouble {
  if (error instanceof AuditTrouble) return error;
  const code = codeOf(error);
  const known = REASONS.find(([start]) => code.startsWith(start));
  return new AuditTrouble(known?.[1] ?? 'its file cannot be used', error);
}

/** One journal cannot be read. The others can. */
export class UnreadableJournal extends AuditTrouble {
  constructor(journal: string, error: unknown) {
    super(`the journal ${journal} cannot be read: ${auditTrouble(error).message}`, error);
    this.name = 'UnreadableJournal';
  }
}

export function isMissing(error: unknown): boolean {
  return codeOf(error) === 'ENOENT';
}

/** Whether the file is not a complete database. */
export function isCorrupt(error: unknown): boolean {
  return /^SQLITE_(CORRUPT|NOTADB|IOERR_SHORT_READ)/.test(codeOf(error));
}

function codeOf(error: unknown): string {
  return String((error as { code?: unknown } | null)?.code ?? '');
}
