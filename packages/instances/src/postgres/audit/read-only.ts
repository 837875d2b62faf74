/** Runs SQL that a user wrote. It is checked first, and the database itself ensures that it only reads. */

import type { QueryResult } from '@callsign/audit';
import { readingStatement, SqlTrouble } from '@callsign/audit/store';
import pg from 'pg';

import { ASK_MS, type Database } from '../database/database.js';

/**
 * The SQL runs in a cursor of a read-only transaction. A cursor accepts only statements that return
 * rows, so the limit applies to all of them.
 */
export async function readOnly(
  database: Database,
  sql: string,
  limit: number,
): Promise<QueryResult> {
  const reading = readingStatement(sql, {
    begins: ['SELECT', 'WITH', 'VALUES'],
    parameter: /\$/y,
    functions: await functionsOf(database),
    refuses: () => false,
  });
  const schema = pg.escapeIdentifier(database.schema);
  const run = database.transaction(async (statements) => {
    await statements.query('set transaction read only');
    await statements.query(`set local search_path = ${schema}, pg_catalog`);
    // Otherwise a backslash in a text could escape its end.
    await statements.query('set local standard_conforming_strings = on');
    await statements.query(`declare answer no scroll cursor for ${reading}`);
    const { columns, rows } = await statements.table(`fetch ${limit + 1} from answer`);
    return { columns, rows: rows.slice(0, limit).map(plain), isCut: rows.length > limit };
  }, ASK_MS);
  return await run.catch((error: Error) => {
    const isOfDatabase = error.message.startsWith('the database cannot be reached');
    throw isOfDatabase ? error : new SqlTrouble(error.message, error);
  });
}

/** All functions that exist, those of other schemas and of extensions included. */
async function functionsOf(database: Database): Promise<ReadonlySet<string>> {
  const rows = await database.query<{ name: string }>(
    'select distinct lower(proname) as name from pg_catalog.pg_proc',
  );
  return new Set(rows.map(({ name }) => name));
}

function plain(row: readonly unknown[]): unknown[] {
  return row.map((value) => (value instanceof Date ? value.toISOString() : value));
}
