/** The tables in SQLite. docs/audit.md documents them; anybody may query them. */

import type { Connection } from './sqlite-file.js';

/**
 * One step per version, which `PRAGMA user_version` counts. A change of the tables is a new step at the end.
 * A step may also drop everything: the tables are made of the journals again.
 */
const STEPS: readonly string[] = [
  `CREATE TABLE calls (
    id TEXT PRIMARY KEY,
    time TEXT NOT NULL,
    day TEXT NOT NULL,
    severity TEXT NOT NULL,
    server TEXT,
    tool TEXT NOT NULL,
    name TEXT NOT NULL,
    method TEXT NOT NULL,
    risk TEXT,
    evidence TEXT,
    because TEXT,
    decision TEXT,
    rule TEXT,
    decisions TEXT,
    outcome TEXT,
    caller TEXT,
    client TEXT NOT NULL,
    clientVersion TEXT NOT NULL,
    session TEXT NOT NULL,
    era TEXT NOT NULL,
    ms REAL,
    retries INTEGER,
    sizeIn INTEGER NOT NULL,
    sizeOut INTEGER,
    fingerprint TEXT,
    arguments TEXT,
    announced INTEGER NOT NULL,
    bucket INTEGER
  ) STRICT;
  CREATE INDEX calls_time ON calls (time);
  CREATE INDEX calls_groups ON calls
    (server, tool, caller, client, day, risk, decision, outcome, bucket, time, severity);
  CREATE TABLE events (
    id TEXT PRIMARY KEY,
    time TEXT NOT NULL,
    kind TEXT NOT NULL,
    severity TEXT NOT NULL,
    journal TEXT NOT NULL,
    reason TEXT NOT NULL,
    count INTEGER NOT NULL
  ) STRICT;
  CREATE INDEX events_time ON events (time);
  CREATE TABLE journals (
    journal TEXT PRIMARY KEY,
    part INTEGER NOT NULL,
    offset INTEGER NOT NULL
  ) STRICT;`,
];

export const SCHEMA_VERSION: number = STEPS.length;

/** Brings the tables to the current version. Run it inside a transaction. */
export function migrate(db: Connection): void {
  const version = versionOf(db);
  for (const step of STEPS.slice(version)) db.exec(step);
  if (version < SCHEMA_VERSION) db.exec(`PRAGMA user_version = ${SCHEMA_VERSION}`);
}

export function versionOf(db: Connection): number {
  const row = db.prepare('PRAGMA user_version').get() as { user_version: number };
  return row.user_version;
}
