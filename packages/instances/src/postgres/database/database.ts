/**
 * The connections to the database. SQL names every table with its schema and keeps no state in a
 * connection, so that a pooler can be used.
 */

import { pipeline } from 'node:stream/promises';

import pg from 'pg';
import { from as copyFrom } from 'pg-copy-streams';

import { StorageError } from '../../storage/storage-error.js';
import type { ConnectionOptions } from './connection-options.js';

/** Runs single statements: on any connection, or in one transaction. */
export interface Statements {
  query<Row extends object>(sql: string, values?: readonly unknown[]): Promise<Row[]>;
}

/** One transaction, on one connection. */
export interface Transaction extends Statements {
  /** Returns rows as arrays, with the names of the columns. */
  table(sql: string): Promise<{ columns: string[]; rows: unknown[][] }>;
  /** Adds many rows, given in the text format of COPY. */
  copy(into: string, rows: string): Promise<void>;
  /** Runs several statements at once. Only for SQL that this package contains. */
  script(sql: string): Promise<void>;
}

export interface DatabaseOptions {
  readonly connection: ConnectionOptions;
  /** The schema that holds our tables. */
  readonly schema: string;
  /** The highest number of connections. */
  readonly connections: number;
}

/** Longer statements fail. */
const QUERY_MS = 10_000;
/** The limit for questions of people, which may read many rows. */
export const ASK_MS = 30_000;
/** The database itself ends a statement at its limit. It gets so much more time to say so. */
const SPARE_MS = 2_000;
const CONNECT_MS = 5_000;
/** The type number of 64-bit integers. */
const BIGINT = 20;

/** A pool of connections. Every error becomes a `StorageError`. */
export class Database implements Statements {
  readonly #schema: string;
  readonly #pool: pg.Pool;

  constructor({ connection, schema, connections }: DatabaseOptions) {
    this.#schema = schema;
    this.#pool = new pg.Pool({
      ...connection,
      max: connections,
      connectionTimeoutMillis: CONNECT_MS,
      query_timeout: QUERY_MS,
      keepAlive: true,
      allowExitOnIdle: true,
      types: { getTypeParser },
    });
    // Without a listener, an idle connection that breaks would end the process. The next statement
    // opens another one.
    this.#pool.on('error', () => {});
  }

  get schema(): string {
    return this.#schema;
  }

  /** The full name of a table or function, quoted for SQL. */
  name(table: string): string {
    return `${pg.escapeIdentifier(this.#schema)}.${pg.escapeIdentifier(table)}`;
  }

  async query<Row extends object>(sql: string, values: readonly unknown[] = []): Promise<Row[]> {
    return await this.#use(async (client, discard) => {
      try {
        return (await client.query<Row>(statement(sql, values))).rows;
      } catch (error) {
        discard(error as Error);
        throw error;
      }
    });
  }

  /**
   * Runs statements in one transaction. If `run` rejects, the transaction is rolled back.
   * `limitMs`: how long a statement may take. Default: 10 s.
   */
  async transaction<T>(run: (statements: Transaction) => Promise<T>, limitMs?: number): Promise<T> {
    const limits = limitMs === undefined ? {} : { query_timeout: limitMs + SPARE_MS };
    return await this.#use(async (client, discard) => {
      try {
        await client.query('begin');
        if (limitMs !== undefined) await client.query(`set local statement_timeout = ${limitMs}`);
        const result = await run({
          query: async <Row extends object>(sql: string, values: readonly unknown[] = []) =>
            (await client.query<Row>({ ...statement(sql, values), ...limits })).rows,
          async table(sql) {
            const { fields, rows } = await client.query({
              ...statement(sql, []),
              ...limits,
              rowMode: 'array',
            });
            return { columns: fields.map(({ name }) => name), rows: rows as unknown[][] };
          },
          async copy(into, rows) {
            const stream = client.query(copyFrom(`copy ${into} from stdin`));
            await pipeline([Buffer.from(rows)], stream);
          },
          async script(sql) {
            await client.query(sql);
          },
        });
        await client.query('commit');
        return result;
      } catch (error) {
        // A connection that cannot roll back is discarded, not returned to the pool.
        await client.query('rollback').catch(discard);
        // After a failover, this connection may still lead to the old server, which only reads now.
        if ((error as { code?: unknown }).code === READ_ONLY) discard(error as Error);
        throw error;
      }
    });
  }

  /** Runs statements on one connection. After `discard`, it does not return to the pool. */
  async #use<T>(
    run: (client: pg.PoolClient, discard: (fault: Error) => void) => Promise<T>,
  ): Promise<T> {
    const client = await this.#pool.connect().catch((error: unknown) => {
      throw explained(error, true);
    });
    let fault: Error | undefined;
    const discard = (error: Error): void => void (fault = error);
    // The pool does not watch connections in use. Without this listener, one that breaks between
    // two statements would end the process.
    client.on('error', discard);
    try {
      return await run(client, discard);
    } catch (error) {
      throw explained(error);
    } finally {
      client.off('error', discard);
      client.release(fault);
    }
  }

  async close(): Promise<void> {
    await this.#pool.end();
  }
}

/**
 * Uses the extended protocol, which accepts one statement only, so that a value can never add
 * another.
 */
function statement(text: string, values: readonly unknown[]): pg.QueryConfig {
  const mode = { queryMode: 'extended' };
  return { text, values: [...values], ...mode };
}

/** Reads 64-bit integers as numbers. Our own stay below 2^53; others that do not stay text. */
function getTypeParser(oid: number, format?: 'text' | 'binary'): (value: string) => unknown {
  if (oid === BIGINT) return exactNumber;
  return pg.types.getTypeParser(oid, format as 'text') as (value: string) => unknown;
}

function exactNumber(digits: string): number | string {
  return Number.isSafeInteger(Number(digits)) ? Number(digits) : digits;
}

/** The code of a server or session that does not write. */
const READ_ONLY = '25006';
/** The code of a role that may not connect. */
const NOT_LET_IN = '28000';
/** The code of a statement that was ended at its limit. */
const TOO_LONG = '57014';

/**
 * A `StorageError` without the address of the database, because callers may read it. `isUnsent`: there was no
 * connection, so no statement was sent.
 */
function explained(error: unknown, isUnsent = false): Error {
  if (error instanceof StorageError) return error;
  const { code, message } = error as { code?: unknown; message?: unknown };
  // Errors of PostgreSQL have a code of five letters and digits. Some of them mean that the
  // connection was refused or ended.
  if (code === TOO_LONG) {
    const reason = 'the question took too long for the database; ask about a shorter time';
    return new StorageError(reason, { cause: error, hasNoEffect: true });
  }
  // Its message names the address of this machine.
  if (code === NOT_LET_IN && /pg_hba/.test(String(message))) {
    const reason =
      'the database refused: its pg_hba.conf does not let this role in from this machine';
    return new StorageError(reason, { cause: error, hasNoEffect: true });
  }
  const isAnswer = /^[0-9A-Z]{5}$/.test(String(code)) && !/^(08|57P)/.test(String(code));
  // A pooler uses this code for every refusal. Its message has the reason, and no addresses.
  const isPooler = code === '08P01';
  const why = isPooler ? `${code}: ${String(message)}` : String(code ?? 'no answer');
  const reason = isAnswer
    ? `the database refused: ${String(message)}`
    : `the database cannot be reached (${why})`;
  // A statement that PostgreSQL refuses is rolled back. Without an answer, it may have been done, or be done later.
  return new StorageError(reason, { cause: error, hasNoEffect: isUnsent || isAnswer });
}
