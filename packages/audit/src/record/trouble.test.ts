import { describe, expect, it } from 'vitest';

import { AuditTrouble, auditTrouble, isCorrupt, isMissing } from './trouble.js';

const failing = (code: unknown): Error => Object.assign(new Error('/home/ada/calls.db'), { code });

describe('the reason for a failure', () => {
  it.each([
    ['SQLITE_FULL', 'the disk is full'],
    ['ENOSPC', 'the disk is full'],
    ['EDQUOT', 'the disk quota is used up'],
    ['SQLITE_READONLY_DBMOVED', 'its file is read-only'],
    ['EROFS', 'its file is read-only'],
    ['SQLITE_BUSY_SNAPSHOT', 'its file is locked by another program'],
    ['SQLITE_LOCKED', 'its file is locked by another program'],
    ['SQLITE_CORRUPT_INDEX', 'its file is corrupt'],
    ['SQLITE_NOTADB', 'its file is corrupt'],
    ['SQLITE_CANTOPEN', 'its file cannot be opened'],
    ['SQLITE_IOERR_WRITE', 'the disk reports an error'],
    ['EIO', 'the disk reports an error'],
    ['SQLITE_PERM', 'writing to its file is not permitted'],
    ['EACCES', 'writing to its file is not permitted'],
    ['EPERM', 'writing to its file is not permitted'],
    ['EMFILE', 'too many files are open'],
    ['ENFILE', 'too many files are open'],
    ['ENOTDIR', 'its folder cannot be created'],
    ['EBUSY', 'its file cannot be used'],
    [undefined, 'its file cannot be used'],
    [42, 'its file cannot be used'],
  ])('with code %s is: %s', (code, reason) => {
    const error = failing(code);
    expect(auditTrouble(error)).toMatchObject({
      name: 'AuditTrouble',
      message: reason,
      cause: error,
    });
  });

  it('is kept if it is already known, and exists for anything that is thrown', () => {
    const known = new AuditTrouble('its anchor is damaged');
    expect(auditTrouble(known)).toBe(known);
    for (const thrown of [null, undefined, 'text']) {
      expect(auditTrouble(thrown).message).toBe('its file cannot be used');
    }
  });
});

describe('an error', () => {
  it.each([
    ['ENOENT', true, false],
    ['ENOENTRY', false, false],
    ['SQLITE_CORRUPT', false, true],
    ['SQLITE_CORRUPT_VTAB', false, true],
    ['SQLITE_NOTADB', false, true],
    ['SQLITE_IOERR_SHORT_READ', false, true],
    ['SQLITE_IOERR_WRITE', false, false],
    ['NOT_SQLITE_CORRUPT', false, false],
    ['SQLITE_FULL', false, false],
  ])('with code %s: missing %s, corrupt %s', (code, missing, corrupt) => {
    expect(isMissing(failing(code))).toBe(missing);
    expect(isCorrupt(failing(code))).toBe(corrupt);
  });
});
