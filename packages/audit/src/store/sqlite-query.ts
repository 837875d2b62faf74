/** Runs SQL that a user wrote, on a connection of its own, which only reads. */

import { AuditTrouble } from '../record/trouble.js';
import type { QueryResult } from './audit-store.js';
import { openReadOnly } from './sqlite-file.js';
import type { Connection } from './sqlite-schema.js';
import { readingStatement, type SqlDialect, SqlTrouble, USER_FUNCTIONS } from './user-sql.js';

/** Other tables than those of the file that may be read. They describe it. */
const TABLES: ReadonlySet<string> = new Set(
  `pragma_index_info pragma_index_list pragma_table_info pragma_table_list pragma_table_xinfo
  pragma_user_version`.split(/\s+/),
);

export function sqliteQuery(file: string, sql: string, limit: number): QueryResult {
  const db = openReadOnly(file);
  try {
    const statement = db.prepare(readingStatement(sql, sqliteDialect(db))).raw(true);
    statement.safeIntegers(true);
    const columns = statement.columns().map(({ name }) => name);
    const rows: unknown[][] = [];
    for (const row of statement.iterate() as Iterable<unknown[]>) {
      if (rows.length === limit) return { columns, rows, isCut: true };
      rows.push(row.map(plain));
    }
    return { columns, rows, isCut: false };
  } catch (error) {
    throw error instanceof AuditTrouble ? error : new SqlTrouble((error as Error).message, error);
  } finally {
    db.close();
  }
}

/**
 * The driver says which functions and modules it has, so a new one is refused too. A module can be
 * read as a table, without brackets.
 */
export function sqliteDialect(db: Connection): SqlDialect {
  const named = (list: string): Set<string> => {
    const rows = db.prepare(`SELECT lower(name) AS name FROM pragma_${list}`).all();
    return new Set((rows as { name: string }[]).map(({ name }) => name));
  };
  const modules = named('module_list');
  return {
    begins: ['SELECT', 'WITH', 'VALUES', 'EXPLAIN'],
    quoted: /`(?:[^`]|``)*`|\[[^\]]*\]/y,
    parameter: /[?:@#$]/y,
    functions: named('function_list'),
    refuses: (name) =>
      (modules.has(name) || name.startsWith('pragma_')) &&
      !TABLES.has(name) &&
      !USER_FUNCTIONS.has(name),
  };
}

/** A number as far as numbers are exact; otherwise its digits. */
function plain(value: unknown): unknown {
  if (typeof value !== 'bigint') return value;
  return Number.isSafeInteger(Number(value)) ? Number(value) : String(value);
}
