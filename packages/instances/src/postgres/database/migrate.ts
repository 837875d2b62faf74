/** Brings the schema up to date. One instance does it while the others wait. */

import pg from 'pg';

import { StorageError } from '../../storage/storage-error.js';
import { type Migration, MIGRATIONS } from '../schema/migrations.js';
import type { Database, Statements } from './database.js';

/** The state of the schema: its version, and the oldest version whose code works with it. */
interface Applied {
  readonly version: number;
  readonly oldest: number;
}

/** The code of a statement for which the role has no right. */
const NO_RIGHT = '42501';

/**
 * Applies missing steps in one transaction, and returns their number. The right to create tables is
 * needed only if a step is missing. Rejects if the schema is too new for this code.
 */
export async function migrate(
  database: Database,
  migrations: readonly Migration[] = MIGRATIONS,
): Promise<number> {
  try {
    return await applyMissing(database, migrations);
  } catch (error) {
    const { cause, message } = error as StorageError;
    if ((cause as { code?: unknown } | undefined)?.code !== NO_RIGHT) throw error;
    throw new StorageError(`${message}; ${ownerAdvice(database.schema)}`, {
      cause,
      hasNoEffect: true,
    });
  }
}

/** What to do if the role of the instances cannot set up its schema, or cannot use it. */
export function ownerAdvice(schema: string): string {
  return `run "callsign status --all" once as the owner of the database, and grant this role its rights to the schema "${schema}" (docs/many-instances.md, "Set-up")`;
}

/** Whether the schema lacks steps. Rejects if it is too new for this code. Changes nothing. */
export async function isBehind(database: Database, statements: Statements): Promise<boolean> {
  return missing(await applied(database, statements), MIGRATIONS).length > 0;
}

async function applyMissing(database: Database, migrations: readonly Migration[]): Promise<number> {
  if (missing(await applied(database, database), migrations).length === 0) return 0;
  return await database.transaction(async (statements) => {
    // A lock of the transaction, not of the connection, so that it works behind a pooler.
    await statements.query('select pg_advisory_xact_lock(hashtextextended($1, 0))', [
      `callsign ${database.schema}`,
    ]);
    await create(database, statements);
    // Read again: another instance may have applied them before we got the lock.
    const steps = missing(await applied(database, statements), migrations);
    for (const step of steps) {
      await statements.script(step.sql((table) => database.name(table)));
      await statements.query(
        `insert into ${database.name('migrations')} (version, oldest) values ($1, $2)`,
        [step.version, step.oldest],
      );
    }
    return steps.length;
  });
}

/** Creates the schema and the list of applied steps. */
async function create(database: Database, statements: Statements): Promise<void> {
  // `if not exists` asks the cache of the connection, which may not have seen the commit that ended our wait.
  const [there] = await statements.query(
    'select 1 from pg_catalog.pg_namespace where nspname = $1',
    [database.schema],
  );
  if (!there) await statements.query(`create schema ${pg.escapeIdentifier(database.schema)}`);
  await statements.query(
    `create table if not exists ${database.name('migrations')} (
      version integer primary key,
      oldest integer not null,
      applied_at timestamptz not null default now()
    )`,
  );
}

/** The newest step that was applied; `undefined` if there is none. */
async function applied(database: Database, statements: Statements): Promise<Applied | undefined> {
  const table = database.name('migrations');
  const [found] = await statements.query<{ there: boolean }>(
    'select to_regclass($1) is not null as there',
    [table],
  );
  if (!found?.there) return undefined;
  const [newest] = await statements.query<Applied>(
    `select version, oldest from ${table} order by version desc limit 1`,
  );
  return newest;
}

function missing(newest: Applied | undefined, migrations: readonly Migration[]): Migration[] {
  const known = migrations.at(-1)!.version;
  if (newest && newest.oldest > known) {
    throw new StorageError(
      `the database has schema ${newest.version}, and this version of Callsign knows only ${known}; install a newer one`,
    );
  }
  return migrations.filter(({ version }) => version > (newest?.version ?? 0));
}
