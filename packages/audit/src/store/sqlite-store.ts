/** The tables in a file of SQLite, which several gateways of one user may share. */

import { join } from 'node:path';

import { type AuditRecord, isOfCall } from '../record/audit-record.js';
import { AuditTrouble, auditTrouble } from '../record/trouble.js';
import { type AuditFilter, isOfCallsOnly } from './audit-filter.js';
import type { AuditRow, AuditStore, CallRow, EventRow, ListOptions } from './audit-store.js';
import type { Position, QueryResult, Stats, StoreModule } from './audit-store.js';
import { CALL_COLUMNS, callValues, END_COLUMNS } from './call-row.js';
import { type Connection, inTransaction, openDatabase, openReadOnly } from './sqlite-file.js';
import { callCondition, eventCondition } from './sqlite-filter.js';
import { type CountedCalls, statsOf } from './stats-sum.js';

const ADD_CALL = `INSERT INTO calls (${CALL_COLUMNS.join(', ')})
  VALUES (${CALL_COLUMNS.map(() => '?').join(', ')})
  ON CONFLICT (id) DO UPDATE SET ${END_COLUMNS.map((name) => `${name} = excluded.${name}`).join(', ')}
  WHERE excluded.outcome IS NOT NULL`;
const ADD_EVENT = `INSERT OR IGNORE INTO events (id, time, kind, severity, journal, reason, count)
  VALUES (?, ?, ?, ?, ?, ?, ?)`;
const MOVE = `INSERT INTO journals (journal, part, offset) VALUES (?, ?, ?)
  ON CONFLICT (journal) DO UPDATE SET part = excluded.part, offset = excluded.offset`;
/** Others wait to write for as long as a deletion takes. */
const DELETED_AT_ONCE = 20_000;

export function sqliteFile(folder: string): string {
  return join(folder, 'calls.db');
}

export const sqliteStores: StoreModule = {
  name: 'sqlite',
  open: ({ folder }) => new SqliteStore(sqliteFile(folder)),
};

/** Opens its file when it is first used. */
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
    records: readonly AuditRecord[],
    from: Position | undefined,
    to: Position,
  ): Promise<void> {
    return this.#run((db) => {
      inTransaction(db, () => {
        const known = db.prepare('SELECT part, offset FROM journals WHERE journal = ?');
        const now = known.get(journal) as Position | undefined;
        if (now?.part !== from?.part || now?.offset !== from?.offset) return;
        const [addCall, addEvent] = [db.prepare(ADD_CALL), db.prepare(ADD_EVENT)];
        for (const record of records) {
          if (isOfCall(record)) addCall.run(...callValues(record));
          else if (record.kind !== 'journal') {
            const { id, time, kind, severity, journal: about, reason, count } = record;
            addEvent.run(id, time, kind, severity, about, reason, count);
          }
        }
        db.prepare(MOVE).run(journal, to.part, to.offset);
      });
    });
  }

  list({ limit, ...filter }: ListOptions): Promise<AuditRow[]> {
    return this.#run((db) => {
      const calls = newest<CallRow>(db, 'calls', callCondition(filter), limit).map(callRow);
      const events = isOfCallsOnly(filter)
        ? []
        : newest<EventRow>(db, 'events', eventCondition(filter), limit);
      return [...calls, ...events]
        .toSorted((a, b) => (a.time < b.time ? -1 : Number(a.time > b.time)))
        .slice(-limit);
    });
  }

  stats(filter: AuditFilter): Promise<Stats> {
    return this.#run((db) => {
      const { sql, values } = callCondition(filter);
      const groups = 'server, tool, caller, client, day, outcome, bucket';
      const rows = db.prepare(
        `SELECT ${groups}, count(*) AS calls FROM calls WHERE ${sql} GROUP BY ${groups}`,
      );
      return statsOf(rows.all(...values) as CountedCalls[]);
    });
  }

  query(sql: string, limit: number): Promise<QueryResult> {
    return this.#run(() => {
      const db = openReadOnly(this.#file);
      try {
        const statement = db.prepare(sql).raw(true);
        const columns = statement.columns().map(({ name }) => name);
        const rows: unknown[][] = [];
        for (const row of statement.iterate() as Iterable<unknown[]>) {
          if (rows.length === limit) return { columns, rows, isCut: true };
          rows.push(row);
        }
        return { columns, rows, isCut: false };
      } catch (error) {
        throw new AuditTrouble((error as Error).message, error);
      } finally {
        db.close();
      }
    });
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

function newest<T>(
  db: Connection,
  table: 'calls' | 'events',
  { sql, values }: ReturnType<typeof callCondition>,
  limit: number,
): T[] {
  const rows = db.prepare(`SELECT * FROM ${table} WHERE ${sql} ORDER BY time DESC, id DESC LIMIT ?`);
  return (rows.all(...values, limit) as T[]).toReversed();
}

function callRow(row: CallRow & { day?: string; bucket?: number }): CallRow {
  const { day, bucket, ...columns } = row;
  return { ...columns, kind: 'call', announced: Boolean(columns.announced) };
}

function deleteCalls(db: Connection, sql: string, ...values: readonly (string | number)[]): number {
  const statement = db.prepare(
    `DELETE FROM calls WHERE rowid IN (SELECT rowid FROM calls WHERE ${sql} LIMIT ?)`,
  );
  let all = 0;
  for (;;) {
    const { changes } = statement.run(...values, DELETED_AT_ONCE);
    all += changes;
    if (changes < DELETED_AT_ONCE) break;
  }
  if (all > 0) db.exec('PRAGMA incremental_vacuum');
  return all;
}
