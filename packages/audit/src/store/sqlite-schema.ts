/**
 * The SQLite tables. docs/audit.md documents the view `calls` and the table `events`, which anyone
 * may query.
 */

import type Database from 'libsql';

export type Connection = Database.Database;

/**
 * One step per version, counted by `PRAGMA user_version`. To change the tables, add a step at the
 * end. A step may drop everything, since the tables can be built from the journals.
 *
 * What calls have in common is stored once, so that a million calls can be searched within a
 * second.
 */
const STEPS: readonly string[] = [
  `CREATE TABLE call_facts (
    fact INTEGER PRIMARY KEY,
    key TEXT NOT NULL UNIQUE,
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
    era TEXT NOT NULL
  ) STRICT;
  CREATE TABLE call_records (
    id TEXT PRIMARY KEY,
    time TEXT NOT NULL,
    day TEXT NOT NULL,
    fact INTEGER NOT NULL,
    failed INTEGER NOT NULL,
    bucket INTEGER,
    session TEXT NOT NULL,
    ms REAL,
    retries INTEGER,
    sizeIn INTEGER NOT NULL,
    sizeOut INTEGER,
    announced INTEGER NOT NULL,
    fingerprint TEXT,
    arguments TEXT
  ) STRICT;
  CREATE INDEX call_records_by_time ON call_records (time, fact);
  CREATE INDEX call_records_by_fact ON call_records (fact, bucket, time);
  CREATE INDEX call_records_by_day ON call_records (day, failed, bucket, fact, time);
  CREATE VIEW calls AS SELECT
    id, time, day, severity, server, tool, name, method, risk, evidence, because, decision, rule,
    decisions, outcome, caller, client, clientVersion, session, era, ms, retries, sizeIn, sizeOut,
    fingerprint, arguments, announced
  FROM call_records JOIN call_facts USING (fact);
  CREATE TABLE events (
    id TEXT PRIMARY KEY,
    time TEXT NOT NULL,
    kind TEXT NOT NULL,
    severity TEXT NOT NULL,
    journal TEXT NOT NULL,
    reason TEXT NOT NULL,
    count INTEGER NOT NULL
  ) STRICT;
  CREATE INDEX events_by_time ON events (time);
  CREATE TABLE journals (
    journal TEXT PRIMARY KEY,
    part INTEGER NOT NULL,
    offset INTEGER NOT NULL
  ) STRICT;`,
  // Statistics add up the sizes, from the index alone.
  `DROP INDEX call_records_by_fact;
  DROP INDEX call_records_by_day;
  CREATE INDEX call_records_by_fact ON call_records (fact, bucket, time, sizeIn, sizeOut);
  CREATE INDEX call_records_by_day ON call_records (day, failed, bucket, fact, time, sizeIn, sizeOut);`,
  `ALTER TABLE call_facts ADD COLUMN script TEXT;
  DROP VIEW calls;
  CREATE VIEW calls AS SELECT
    id, time, day, severity, server, tool, name, method, risk, evidence, because, decision, rule,
    decisions, outcome, caller, client, clientVersion, session, era, ms, retries, sizeIn, sizeOut,
    fingerprint, arguments, announced, script
  FROM call_records JOIN call_facts USING (fact);`,
  `ALTER TABLE call_facts ADD COLUMN account TEXT;
  DROP VIEW calls;
  CREATE VIEW calls AS SELECT
    id, time, day, severity, server, tool, name, method, risk, evidence, because, decision, rule,
    decisions, outcome, caller, client, clientVersion, session, era, ms, retries, sizeIn, sizeOut,
    fingerprint, arguments, announced, script, account
  FROM call_records JOIN call_facts USING (fact);`,
  `ALTER TABLE call_records ADD COLUMN waitedMs REAL;
  DROP VIEW calls;
  CREATE VIEW calls AS SELECT
    id, time, day, severity, server, tool, name, method, risk, evidence, because, decision, rule,
    decisions, outcome, caller, client, clientVersion, session, era, ms, retries, sizeIn, sizeOut,
    fingerprint, arguments, announced, script, account, waitedMs
  FROM call_records JOIN call_facts USING (fact);`,
];

export const SCHEMA_VERSION: number = STEPS.length;

/** Brings the tables to the current version. Call it inside a transaction. */
export function migrate(db: Connection): void {
  const version = versionOf(db);
  // Tables without a version are not ours to trust. Nothing is lost: they are built from the journals.
  if (version === 0) dropAll(db);
  for (const step of STEPS.slice(version)) db.exec(step);
  if (version < SCHEMA_VERSION) db.exec(`PRAGMA user_version = ${SCHEMA_VERSION}`);
}

function dropAll(db: Connection): void {
  const made = db
    .prepare(
      `SELECT type, name FROM sqlite_master
       WHERE type IN ('table', 'view') AND name NOT LIKE 'sqlite\\_%' ESCAPE '\\'`,
    )
    .all() as { readonly type: string; readonly name: string }[];
  for (const { type, name } of made)
    db.exec(`DROP ${type} IF EXISTS "${name.replaceAll('"', '""')}"`);
}

export function versionOf(db: Connection): number {
  const row = db.prepare('PRAGMA user_version').get() as { user_version: number };
  return row.user_version;
}
