/** The database file: opening, making and setting it aside. What is in it is not known here. */

import { closeSync, existsSync, mkdirSync, openSync, renameSync, statSync } from 'node:fs';
import { dirname } from 'node:path';

import Database from 'libsql';

import { anchorFile } from './anchor.js';
import { StoreTrouble } from './store-trouble.js';

export type Connection = Database.Database;

/** How long to wait for another writer. */
const BUSY_MS = 4_000;
const VERSION = 2;

const SCHEMA = `
  CREATE TABLE segments (
    seq INTEGER PRIMARY KEY, prev TEXT NOT NULL, hash TEXT NOT NULL, body TEXT NOT NULL
  ) STRICT;
  CREATE TABLE writers (
    writer TEXT PRIMARY KEY, last INTEGER NOT NULL, time TEXT NOT NULL
  ) STRICT, WITHOUT ROWID;
  CREATE TABLE schema_version (version INTEGER NOT NULL) STRICT;
  INSERT INTO schema_version VALUES (${VERSION});
`;

/** Opens the file for writing; makes it, for its owner alone, if it is not there. */
export function openForWriting(file: string): Connection {
  mkdirSync(dirname(file), { recursive: true, mode: 0o700 });
  // Made by us and not by the driver: what it puts beside the file gets the same rights.
  closeSync(openSync(file, 'a', 0o600));
  return connect(file, (db) => {
    // Only before the first table, and for good. Segments are long, and fewer pages are less work.
    if (!hasSchema(db)) db.exec('PRAGMA page_size = 8192; PRAGMA auto_vacuum = INCREMENTAL');
    db.exec('PRAGMA journal_mode = WAL; PRAGMA synchronous = FULL');
    // The same 4 MiB, in pages and in bytes.
    db.exec('PRAGMA wal_autocheckpoint = 512; PRAGMA journal_size_limit = 4194304');
    // Several gateways may start at once, and one of them makes the tables.
    if (!hasSchema(db)) inTransaction(db, () => void (hasSchema(db) || db.exec(SCHEMA)));
    checkVersion(db);
  });
}

export function openForReading(file: string): Connection {
  // The driver would make one.
  if (!existsSync(file)) throw new StoreTrouble(`there is no audit log at ${file}`);
  return connect(file, (db) => {
    db.exec('PRAGMA query_only = ON');
    if (!hasSchema(db)) throw new StoreTrouble(`${file} is no audit log`);
    checkVersion(db);
  });
}

const statements = new WeakMap<Connection, Map<string, Database.Statement>>();

/** A statement that is made once for a connection: making one takes longer than most take to run. */
export function prepared(db: Connection, sql: string): Database.Statement {
  let known = statements.get(db);
  if (!known) statements.set(db, (known = new Map()));
  let statement = known.get(sql);
  if (!statement) known.set(sql, (statement = db.prepare(sql)));
  return statement;
}

/** Everything or nothing, with nobody else writing. */
export function inTransaction<T>(db: Connection, run: () => T): T {
  db.exec('BEGIN IMMEDIATE');
  try {
    const result = run();
    db.exec('COMMIT');
    return result;
  } catch (error) {
    // A full disk has ended it already.
    if (db.inTransaction) db.exec('ROLLBACK');
    throw error;
  }
}

/** Tells files apart that came to have the same name. */
export function identityOf(file: string): string | undefined {
  const stat = statSync(file, { bigint: true, throwIfNoEntry: false });
  return stat && `${stat.dev}:${stat.ino}`;
}

/**
 * Gives a corrupt file, and all that belongs to it, a name with a date, and returns that name. Does
 * nothing if another gateway was faster and there is another file by now.
 */
export function setAside(file: string, identity: string | undefined): string | undefined {
  if (identityOf(file) !== identity) return undefined;
  const aside = `${file}.corrupt-${new Date().toISOString().replaceAll(':', '-')}`;
  renameSync(file, aside);
  if (identityOf(aside) !== identity) {
    // Faster by a hair.
    renameSync(aside, file);
    return undefined;
  }
  for (const suffix of ['-wal', '-shm']) {
    if (existsSync(file + suffix)) renameSync(file + suffix, aside + suffix);
  }
  if (existsSync(anchorFile(file))) renameSync(anchorFile(file), anchorFile(aside));
  return aside;
}

function connect(file: string, prepare: (db: Connection) => void): Connection {
  const db = new Database(file, { timeout: BUSY_MS });
  try {
    prepare(db);
    return db;
  } catch (error) {
    db.close();
    throw error;
  }
}

function hasSchema(db: Connection): boolean {
  return (
    db.prepare("SELECT 1 AS one FROM sqlite_schema WHERE name = 'schema_version'").get() !==
    undefined
  );
}

function checkVersion(db: Connection): void {
  const row = db.prepare('SELECT version FROM schema_version').get() as { version: number };
  if (row.version > VERSION) {
    throw new StoreTrouble('its file was written by a newer Callsign; update this one');
  }
  if (row.version < VERSION) {
    throw new StoreTrouble('its file was written by an older Callsign; move it elsewhere');
  }
}
