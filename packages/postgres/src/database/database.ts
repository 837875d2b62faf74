/** The connections to the database. All names are written with their schema, so that a pooler can be used. */

import { pipeline } from 'node:stream/promises';

import { StorageError } from '@callsign/instances';
import pg from 'pg';
import { from as copyFrom } from 'pg-copy-streams';

import type { ConnectionOptions } from './connection-options.js';

/** Runs statements: the pool, or one transaction. */
export interface Statements {
  query<Row extends object>(sql: string, values?: readonly unknown[]): Promise<Row[]>;
}

/** One transaction, on one connection. */
export interface Transaction extends Statements {
  /** Rows as arrays, with the names of their columns. */
  table(sql: string): Promise<{ columns: string[]; rows: unknown[][] }>;
  /** Adds many rows, in the text format of COPY. */
  copy(into: string, rows: string): Promise<void>;
  /** Runs many statements at once. Only for SQL of this package. */
  script(sql: string): Promise<void>;
}

export interface DatabaseOptions {
  readonly connection: ConnectionOptions;
  /** The schema of our tables. */
  readonly schema: string;
  /** The limit on connections. */
  readonly connections: number;
}

/** A statement that takes longer fails. */
const QUERY_MS = 10_000;
const CONNECT_MS = 5_000;
const BIGINT = 20;

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
    // An idle connection that breaks is replaced by the next statement.
    this.#pool.on('error', () => {});
  }

  get schema(): string {
    return this.#schema;
  }

  /** The name of a table or function in SQL. */
  name(table: string): string {
    return `${pg.escapeIdentifier(this.#schema)}.${pg.escapeIdentifier(table)}`;
  }

  async query<Row extends object>(sql: string, values: readonly unknown[] = []): Promise<Row[]> {
    try {
      return (await this.#pool.query<Row>(statement(sql, values))).rows;
    } catch (error) {
      throw explained(error);
    }
  }

  /** Runs statements in one transaction, which is rolled back if `run` fails. */
  async transaction<T>(run: (statements: Transaction) => Promise<T>): Promise<T> {
    const client = await this.#pool.connect().catch((error: unknown) => {
      throw explained(error);
    });
    let fault: Error | undefined;
    // The pool does not handle errors of a connection in use. One that breaks between two statements is discarded.
    const broken = (error: Error): void => void (fault = error);
    client.on('error', broken);
    try {
      await client.query('begin');
      const result = await run({
        query: async <Row extends object>(sql: string, values: readonly unknown[] = []) =>
          (await client.query<Row>(statement(sql, values))).rows,
        async table(sql) {
          const { fields, rows } = await client.query({ ...statement(sql, []), rowMode: 'array' });
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
      // A connection that cannot roll back its transaction is discarded.
      await client.query('rollback').catch((reason: Error) => (fault = reason));
      throw explained(error);
    } finally {
      client.off('error', broken);
      client.release(fault);
    }
  }

  async close(): Promise<void> {
    await this.#pool.end();
  }
}

/** The extended protocol accepts one statement only, so a text cannot add another. */
function statement(text: string, values: readonly unknown[]): pg.QueryConfig {
  const mode = { queryMode: 'extended' };
  return { text, values: [...values], ...mode };
}

/** Returns 64-bit integers as numbers: our values stay below 2^53. */
function getTypeParser(oid: number, format?: 'text' | 'binary'): (value: string) => unknown {
  if (oid === BIGINT) return Number;
  return pg.types.getTypeParser(oid, format as 'text') as (value: string) => unknown;
}

/** An error that names the database, without its address: callers may read it. */
function explained(error: unknown): Error {
  if (error instanceof StorageError) return error;
  const { code, message } = error as { code?: unknown; message?: unknown };
  // An error of the database itself has a code of five letters and digits.
  const isAnswer = /^[0-9A-Z]{5}$/.test(String(code)) && !/^(08|57P)/.test(String(code));
  // A pooler has one code for every refusal, and its message has no addresses.
  const isPooler = code === '08P01';
  const why = isPooler ? `${code}: ${String(message)}` : String(code ?? 'no answer');
  const reason = isAnswer
    ? `the database refused: ${String(message)}`
    : `the database cannot be reached (${why})`;
  return new StorageError(reason, { cause: error });
}
