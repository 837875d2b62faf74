/** The database file: opening and making it. */

import { closeSync, existsSync, mkdirSync, openSync, rmSync } from 'node:fs';
import { dirname } from 'node:path';

import Database from 'libsql';

import { AuditTrouble, isCorrupt } from '../record/trouble.js';
import { type Connection, migrate, SCHEMA_VERSION, versionOf } from './sqlite-schema.js';

/** How long to wait for another writer. */
const BUSY_MS = 10_000;

/** Opens the file; makes it, for its owner alone, if it is not there. A corrupt file is made again. */
export function openDatabase(file: string): Connection {
  try {
    return open(file);
  } catch (error) {
    if (!isCorrupt(error)) throw error;
    // Nothing is lost: the tables are made of the journals.
    for (const suffix of ['', '-wal', '-shm']) rmSync(file + suffix, { force: true });
    return open(file);
  }
}

/** A connection that cannot write. */
export function openReadOnly(file: string): Connection {
  // The driver would make one.
  if (!existsSync(file)) throw new AuditTrouble('its tables do not exist yet');
  return connect(file, (db) => db.exec('PRAGMA query_only = ON'));
}

/** Everything or nothing, with no other writer. */
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

function open(file: string): Connection {
  mkdirSync(dirname(file), { recursive: true, mode: 0o700 });
  // Made by us and not by the driver: what it puts beside the file gets the same rights.
  closeSync(openSync(file, 'a', 0o600));
  return connect(file, (db) => {
    if (versionOf(db) === 0) db.exec('PRAGMA auto_vacuum = INCREMENTAL');
    // The journals are the truth, so that the tables need not survive a power failure.
    db.exec('PRAGMA journal_mode = WAL; PRAGMA synchronous = NORMAL; PRAGMA cache_size = -32000');
    // Several processes may start at once, and one of them makes the tables.
    if (versionOf(db) < SCHEMA_VERSION) inTransaction(db, () => migrate(db));
    if (versionOf(db) > SCHEMA_VERSION) {
      throw new AuditTrouble('its tables were made by a newer Callsign; update this one');
    }
  });
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
