/** Opens and creates the database file. */

import { closeSync, existsSync, openSync, rmSync } from 'node:fs';
import { dirname } from 'node:path';
import { pathToFileURL } from 'node:url';

import { makeFolder } from '@callsign/config/make-folder';
import Database from 'libsql';

import { AuditTrouble, isCorrupt } from '../record/trouble.js';
import { type Connection, migrate, SCHEMA_VERSION, versionOf } from './sqlite-schema.js';

/** How long to wait for another writer. */
const BUSY_MS = 10_000;

/**
 * Opens the file. Creates it, for its owner alone, if it is missing. A corrupt file is replaced.
 */
export function openDatabase(file: string): Connection {
  try {
    return open(file);
  } catch (error) {
    if (!isCorrupt(error)) throw error;
    // Nothing is lost: the tables are built from the journals.
    for (const suffix of ['', '-wal', '-shm']) rmSync(file + suffix, { force: true });
    return open(file);
  }
}

/** A connection that cannot write. */
export function openReadOnly(file: string): Connection {
  // The driver would create it.
  if (!existsSync(file)) throw new AuditTrouble('its tables do not exist yet');
  const address = `${pathToFileURL(file).href}?mode=ro`;
  return connect(address, (db) => db.exec('PRAGMA query_only = ON'));
}

/** Runs all or nothing, while no other process writes. */
export function inTransaction<T>(db: Connection, run: () => T): T {
  db.exec('BEGIN IMMEDIATE');
  try {
    const result = run();
    db.exec('COMMIT');
    return result;
  } catch (error) {
    // If the disk is full, the transaction has already ended.
    if (db.inTransaction) db.exec('ROLLBACK');
    throw error;
  }
}

function open(file: string): Connection {
  makeFolder(dirname(file));
  // Created here and not by the driver, so that the files beside it get the same permissions.
  closeSync(openSync(file, 'a', 0o600));
  return connect(file, (db) => {
    if (versionOf(db) === 0) db.exec('PRAGMA auto_vacuum = INCREMENTAL');
    // The tables need not survive a power failure: they can be built again from the journals.
    db.exec('PRAGMA journal_mode = WAL; PRAGMA synchronous = NORMAL; PRAGMA cache_size = -32000');
    // Several processes may start at once. One of them creates the tables.
    if (versionOf(db) < SCHEMA_VERSION) inTransaction(db, () => migrate(db));
    if (versionOf(db) > SCHEMA_VERSION) {
      throw new AuditTrouble('its tables were created by a newer Callsign; update this one');
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
