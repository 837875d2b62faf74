/** Adds rows to the SQLite tables and deletes them. */

import { isFailure } from '@callsign/core';

import { type AuditRecord, isOfCall } from '../record/audit-record.js';
import type { StoredCall } from './audit-store.js';
import { bucketOf, CALL_FACTS, storedCall } from './stored-call.js';
import type { Connection } from './sqlite-schema.js';

const FIND_FACT = 'SELECT fact FROM call_facts WHERE key = ?';
const ADD_FACT = `INSERT INTO call_facts (key, ${CALL_FACTS.join(', ')})
  VALUES (${['key', ...CALL_FACTS].map(() => '?').join(', ')}) RETURNING fact`;
/** The end of a call completes the row of its intent. */
const ADD_CALL = `INSERT INTO call_records
  (id, time, day, fact, failed, bucket, session, ms, waitedMs, retries, sizeIn, sizeOut, announced, fingerprint, arguments)
  VALUES (?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?)
  ON CONFLICT (id) DO UPDATE SET fact = excluded.fact, failed = excluded.failed, bucket = excluded.bucket,
    ms = excluded.ms, waitedMs = excluded.waitedMs, retries = excluded.retries, sizeOut = excluded.sizeOut
  WHERE excluded.ms IS NOT NULL`;
const ADD_EVENT = `INSERT OR IGNORE INTO events (id, time, kind, severity, journal, reason, count)
  VALUES (?, ?, ?, ?, ?, ?, ?)`;
/** Rows per statement. Other writers have to wait while one runs. */
const DELETED_AT_ONCE = 20_000;
const DAY_LENGTH = '2026-11-15'.length;

/** Call it inside a transaction. */
export function addRecords(db: Connection, records: readonly AuditRecord[]): void {
  const [addCall, addEvent] = [db.prepare(ADD_CALL), db.prepare(ADD_EVENT)];
  const factOf = factFinder(db);
  for (const record of records) {
    if (isOfCall(record)) {
      const row = storedCall(record);
      addCall.run(
        row.id,
        row.time,
        row.time.slice(0, DAY_LENGTH),
        factOf(row),
        row.outcome !== null && isFailure(row.outcome) ? 1 : 0,
        bucketOf(row),
        row.session,
        row.ms,
        row.waitedMs,
        row.retries,
        row.sizeIn,
        row.sizeOut,
        row.announced ? 1 : 0,
        row.fingerprint,
        row.arguments,
      );
    } else if (record.kind !== 'journal') {
      const { id, time, kind, severity, journal, reason, count } = record;
      addEvent.run(id, time, kind, severity, journal, reason, count);
    }
  }
}

/** Remembers facts only within this transaction: afterwards another process may delete them. */
function factFinder(db: Connection): (row: StoredCall) => number {
  const known = new Map<string, number>();
  const [find, add] = [db.prepare(FIND_FACT), db.prepare(ADD_FACT)];
  return (row) => {
    const values = CALL_FACTS.map((name) => row[name]);
    const key = JSON.stringify(values);
    let fact = known.get(key);
    if (fact === undefined) {
      const found = (find.get(key) ?? add.get(key, ...values)) as { fact: number };
      known.set(key, (fact = found.fact));
    }
    return fact;
  };
}

/**
 * Returns the number of deleted calls. Do not call it inside a transaction: it uses several
 * statements so that others can write in between.
 */
export function deleteCalls(
  db: Connection,
  sql: string,
  ...values: readonly (string | number)[]
): number {
  const statement = db.prepare(
    `DELETE FROM call_records WHERE rowid IN (SELECT rowid FROM call_records WHERE ${sql} LIMIT ?)`,
  );
  let all = 0;
  for (;;) {
    const { changes } = statement.run(...values, DELETED_AT_ONCE);
    all += changes;
    if (changes < DELETED_AT_ONCE) break;
  }
  if (all > 0) {
    db.exec('DELETE FROM call_facts WHERE fact NOT IN (SELECT fact FROM call_records)');
    db.exec('PRAGMA incremental_vacuum');
  }
  return all;
}
