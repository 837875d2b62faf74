/** Runs SQL that a person wrote. The database itself ensures that it only reads. */

import type { QueryResult } from '@callsign/audit';
import pg from 'pg';

import { ASK_MS, type Database } from '../database/database.js';

/**
 * The SQL runs in a cursor of a read-only transaction. A cursor accepts only statements that return
 * rows, so the limit applies to all of them. The extended protocol accepts one statement only.
 */
export async function readOnly(
  database: Database,
  sql: string,
  limit: number,
): Promise<QueryResult> {
  return await database.transaction(async (statements) => {
    await statements.query('set transaction read only');
    await statements.query(
      `set local search_path = ${pg.escapeIdentifier(database.schema)}, pg_catalog`,
    );
    await statements.query(`declare answer no scroll cursor for ${sql.replace(/;\s*$/, '')}`);
    const { columns, rows } = await statements.table(`fetch ${limit + 1} from answer`);
    return { columns, rows: rows.slice(0, limit).map(plain), isCut: rows.length > limit };
  }, ASK_MS);
}

function plain(row: readonly unknown[]): unknown[] {
  return row.map((value) => (value instanceof Date ? value.toISOString() : value));
}
