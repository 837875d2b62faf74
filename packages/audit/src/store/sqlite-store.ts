/** The tables in a SQLite file, which several gateways of one user may share. */

import { join } from 'node:path';

import type { Position } from '../journal/position.js';
import { AuditTrouble, auditTrouble } from '../record/trouble.js';
import { type AuditFilter, isOfCallsOnly } from './audit-filter.js';
import type {
  AuditStore,
  JournalSlice,
  ListOptions,
  QueryResult,
  Stats,
  StatsGroup,
  StoredCall,
  StoredEvent,
  StoredRecord,
  StoreModule,
  TimelineStep,
} from './audit-store.js';
import { inTransaction, openDatabase } from './sqlite-file.js';
import { callCondition, type Condition, eventCondition } from './sqlite-filter.js';
import { sqliteQuery } from './sqlite-query.js';
import { addRecords, deleteCalls } from './sqlite-rows.js';
import type { Connection } from './sqlite-schema.js';
import { sqliteStats } from './sqlite-stats.js';
import { sqliteTimeline } from './sqlite-timeline.js';

const MOVE = `INSERT INTO journals (journal, part, offset) VALUES (?, ?, ?)
  ON CONFLICT (journal) DO UPDATE SET part = excluded.part, offset = excluded.offset`;

function sqliteFile(folder: string): string {
  return join(folder, 'calls.db');
}

/** The default store. */
export const sqliteStores: StoreModule = {
  name: 'sqlite',
  open: ({ folder }) => new SqliteStore(sqliteFile(folder)),
};

/** Opens its file on first use. */
export class SqliteStore implements AuditStore {
  readonly #file: string;
  #db: Connection | undefined;

  constructor(file: string) {
    this.#file = file;
  }

  positions(): Promise<ReadonlyMap<string, Position>> {
    return this.#run((db) => {
      const rows = db.prepare('SELECT journal, part, offset FROM journals').all();
      return new Map(
        (rows as (Position & { journal: string })[]).map(({ journal, part, offset }) => {
          return [journal, { part, offset }];
        }),
      );
    });
  }

  add(
    journal: string,
    { records }: JournalSlice,
    from: Position | undefined,
    to: Position,
  ): Promise<void> {
    return this.#run((db) => {
      inTransaction(db, () => {
        const known = db.prepare('SELECT part, offset FROM journals WHERE journal = ?');
        const now = known.get(journal) as Position | undefined;
        if (now?.part !== from?.part || now?.offset !== from?.offset) return;
        addRecords(db, records);
        db.prepare(MOVE).run(journal, to.part, to.offset);
      });
    });
  }

  list({ limit, ...filter }: ListOptions): Promise<StoredRecord[]> {
    return this.#run((db) => {
      const calls = newestCalls(db, filter, limit);
      const events = isOfCallsOnly(filter) ? [] : newestEvents(db, eventCondition(filter), limit);
      return [...calls, ...events]
        .toSorted((a, b) => (a.time < b.time ? -1 : Number(a.time > b.time)))
        .slice(-limit);
    });
  }

  stats(filter: AuditFilter): Promise<Stats> {
    return this.#run((db) => sqliteStats(db, filter));
  }

  timeline(filter: AuditFilter, step: TimelineStep): Promise<readonly StatsGroup[]> {
    return this.#run((db) => sqliteTimeline(db, filter, step));
  }

  query(sql: string, limit: number): Promise<QueryResult> {
    // The file may have to be created first.
    return this.#run(() => sqliteQuery(this.#file, sql, limit));
  }

  prune(before: string): Promise<number> {
    return this.#run((db) => {
      db.prepare('DELETE FROM events WHERE time < ?').run(before);
      return deleteCalls(db, 'time < ?', before);
    });
  }

  forget(journal: string, through: number, isGone: boolean): Promise<void> {
    return this.#run((db) => {
      const writer = journal.slice(journal.lastIndexOf('-') + 1);
      const number = 'CAST(substr(id, ?) AS INTEGER)';
      const range = `id >= ? AND id < ? AND ${number} <= ?`;
      const values = [`${writer}-`, `${writer}.`, writer.length + 2, through] as const;
      deleteCalls(db, range, ...values);
      db.prepare(`DELETE FROM events WHERE ${range}`).run(...values);
      if (isGone) db.prepare('DELETE FROM journals WHERE journal = ?').run(journal);
    });
  }

  close(): Promise<void> {
    this.#db?.close();
    this.#db = undefined;
    return Promise.resolve();
  }

  /** After a failure the file is opened again. */
  // oxlint-disable-next-line typescript/require-await -- errors must come as rejections
  async #run<T>(run: (db: Connection) => T): Promise<T> {
    try {
      return run((this.#db ??= openDatabase(this.#file)));
    } catch (error) {
      if (!(error instanceof AuditTrouble)) void this.close();
      throw auditTrouble(error);
    }
  }
}

/** This many of the newest calls are searched for a text before all are. */
const NEWEST = 20_000;

/**
 * The newest calls that match. No index contains arguments: a text that few calls have is found
 * sooner by reading the whole table in its own order than by looking up calls by time.
 */
function newestCalls(db: Connection, filter: AuditFilter, limit: number): StoredCall[] {
  const condition = callCondition(filter);
  if (filter.text === undefined) return callsIn(db, BY_TIME, condition, limit);
  const edge = db
    .prepare('SELECT time FROM call_records ORDER BY time DESC LIMIT 1 OFFSET ?')
    .get(NEWEST) as { time: string } | undefined;
  if (!edge) return callsIn(db, BY_TIME, condition, limit);
  const { sql, values } = condition;
  const newest = { sql: `time > ? AND ${sql}`, values: [edge.time, ...values] };
  const found = callsIn(db, BY_TIME, newest, limit);
  return found.length === limit ? found : callsIn(db, 'NOT INDEXED', condition, limit);
}

const BY_TIME = 'INDEXED BY call_records_by_time';

/** Searches in the index alone, and reads only the rows that are returned. */
function callsIn(
  db: Connection,
  index: string,
  { sql, values }: Condition,
  limit: number,
): StoredCall[] {
  const rows = db
    .prepare(
      `SELECT calls.* FROM call_records AS found JOIN calls USING (id) WHERE found.rowid IN
        (SELECT rowid FROM call_records ${index} WHERE ${sql} ORDER BY time DESC, rowid DESC LIMIT ?)
        ORDER BY found.time, found.rowid`,
    )
    .all(...values, limit);
  return (rows as (StoredCall & { day?: string })[]).map(({ day: _day, ...row }) => {
    return { ...row, kind: 'call', announced: Boolean(row.announced) };
  });
}

function newestEvents(db: Connection, { sql, values }: Condition, limit: number): StoredEvent[] {
  const rows = db.prepare(
    `SELECT * FROM events WHERE ${sql} ORDER BY time DESC, rowid DESC LIMIT ?`,
  );
  return (rows.all(...values, limit) as StoredEvent[]).toReversed();
}
