import { existsSync, readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';

import { describe, expect, it, onTestFinished } from 'vitest';

import { auditFolder } from '../../../../test/testing/audit-folder.js';
import { inTransaction, openDatabase, openReadOnly } from './sqlite-file.js';
import type { Connection } from './sqlite-schema.js';

function opened(open: () => Connection): Connection {
  const db = open();
  onTestFinished(() => void db.close());
  return db;
}

const pragma = (db: Connection, name: string): unknown =>
  Object.values(db.prepare(`PRAGMA ${name}`).get() as object)[0];

const journals = (db: Connection): number =>
  (db.prepare('SELECT count(*) AS count FROM journals').get() as { count: number }).count;

const ADD = "INSERT INTO journals VALUES ('j', 1, 0)";

describe('the database', () => {
  it('lets others read while it is written, and gives the space of deleted rows back', () => {
    const db = opened(() => openDatabase(join(auditFolder(), 'calls.db')));
    expect(pragma(db, 'journal_mode')).toBe('wal');
    expect(pragma(db, 'auto_vacuum')).toBe(2);
    expect(pragma(db, 'synchronous')).toBe(1);
  });

  it('keeps its tables when it is opened again', () => {
    const file = join(auditFolder(), 'calls.db');
    const first = openDatabase(file);
    first.exec(ADD);
    first.close();
    expect(journals(opened(() => openDatabase(file)))).toBe(1);
  });

  it('that is corrupt is replaced, with the files beside it', () => {
    const file = join(auditFolder(), 'calls.db');
    for (const suffix of ['', '-wal', '-shm']) writeFileSync(file + suffix, 'x'.repeat(10_000));
    const db = opened(() => openDatabase(file));
    expect(journals(db)).toBe(0);
    expect(readFileSync(`${file}-wal`, 'utf8')).not.toContain('xxxx');
  });

  it('with tables but without a version is built again (G15)', () => {
    const file = join(auditFolder(), 'calls.db');
    const first = openDatabase(file);
    first.exec(`${ADD}; CREATE TABLE "odd ""name" (x); PRAGMA user_version = 0`);
    first.close();
    const db = opened(() => openDatabase(file));
    expect(journals(db)).toBe(0);
    expect(pragma(db, 'user_version')).toBe(5);
    const [tables] = db
      .prepare("SELECT count(*) AS c FROM sqlite_master WHERE name LIKE 'odd%'")
      .all();
    expect(tables).toEqual({ c: 0 });
  });

  it('that cannot be opened for another reason is left alone', () => {
    const file = join(auditFolder(), 'calls.db');
    writeFileSync(file, 'no folder');
    expect(() => openDatabase(join(file, 'calls.db'))).toThrow();
    expect(readFileSync(file, 'utf8')).toBe('no folder');
  });

  it('is not created by a reader, and a reader cannot write', () => {
    const file = join(auditFolder(), 'calls.db');
    expect(() => openReadOnly(file)).toThrow('its tables do not exist yet');
    expect(existsSync(file)).toBe(false);
    opened(() => openDatabase(file));
    const reader = opened(() => openReadOnly(file));
    expect(() => reader.exec(ADD)).toThrow(/readonly/i);
  });
});

describe('a transaction', () => {
  it('keeps everything and returns the result, or keeps nothing and throws the error', () => {
    const db = opened(() => openDatabase(join(auditFolder(), 'calls.db')));
    expect(
      inTransaction(db, () => {
        db.exec(ADD);
        return 'done';
      }),
    ).toBe('done');
    expect(db.inTransaction).toBe(false);
    const failed = new Error('half-way');
    const half = (): never => {
      db.exec('DELETE FROM journals');
      throw failed;
    };
    expect(() => inTransaction(db, half)).toThrow(failed);
    expect(db.inTransaction).toBe(false);
    expect(journals(db)).toBe(1);
    // The statement that failed may have ended the transaction.
    const ended = (): never => {
      db.exec('ROLLBACK');
      throw failed;
    };
    expect(() => inTransaction(db, ended)).toThrow(failed);
  });
});
