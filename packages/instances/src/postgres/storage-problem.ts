/** Looks whether the database of `storage` can be used, and changes nothing there. For people who set it up. */

import { StorageError } from '../storage/storage-error.js';
import type { StorageSettings } from '../storage/storage-settings.js';
import { connectionOptions } from './database/connection-options.js';
import { Database, type Statements } from './database/database.js';
import { isBehind, ownerAdvice } from './database/migrate.js';

/** What is wrong, and what to do. Contains no password. */
export interface StorageProblem {
  readonly message: string;
  readonly advice: string;
}

interface Rights {
  readonly role: string;
  readonly hasSchema: boolean;
  readonly mayUse: boolean;
  readonly mayCreate: boolean;
}

/** How long a statement may take. Opening a connection has a limit of its own. */
const LIMIT_MS = 3_000;
/** More tables are left out of the message. */
const MOST_NAMED = 3;

/** `undefined`: an instance can use it. `settings`: with the values of variables in place. */
export async function storageProblem(
  settings: StorageSettings,
): Promise<StorageProblem | undefined> {
  const { postgres, direct } = settings;
  const ofPooled = await problemAt('postgres', postgres, settings);
  if (ofPooled || direct === undefined) return ofPooled;
  return await problemAt('direct', direct, settings);
}

async function problemAt(
  setting: string,
  url: string,
  { schema, tls }: StorageSettings,
): Promise<StorageProblem | undefined> {
  let database: Database | undefined;
  try {
    const connection = connectionOptions(url, tls);
    const opened = new Database({ connection, schema, connections: 1 });
    database = opened;
    return await opened.transaction((statements) => rightsProblem(opened, statements), LIMIT_MS);
  } catch (error) {
    return explained(error as Error, new URL(url), `storage.${setting}`);
  } finally {
    await database?.close();
  }
}

/** The role can connect. What it may do there is another question. */
async function rightsProblem(
  database: Database,
  statements: Statements,
): Promise<StorageProblem | undefined> {
  const { schema } = database;
  const [rights] = await statements.query<Rights>(
    `select current_user as role, found.schema is not null as "hasSchema",
       coalesce(has_schema_privilege(found.schema, 'usage'), false) as "mayUse",
       coalesce(has_schema_privilege(found.schema, 'create'),
         has_database_privilege(current_database(), 'create')) as "mayCreate"
     from (select to_regnamespace($1)::oid as schema) as found`,
    [schema],
  );
  const { role, hasSchema, mayUse, mayCreate } = rights!;
  const advice = ownerAdvice(schema);
  if (!hasSchema) {
    // The first instance that starts creates it.
    if (mayCreate) return undefined;
    const message = `the database has no schema "${schema}", and the role "${role}" may not create it`;
    return { message, advice };
  }
  if (!mayUse) return { message: `the role "${role}" may not use the schema "${schema}"`, advice };
  if (await isBehind(database, statements)) {
    if (mayCreate) return undefined;
    const message = `the schema "${schema}" must be updated, and the role "${role}" may not do that`;
    return { message, advice };
  }
  const refused = await refusedParts(schema, statements);
  if (refused.length === 0) return undefined;
  const rest = refused.length > MOST_NAMED ? `, and ${refused.length - MOST_NAMED} more` : '';
  const named = `${refused.slice(0, MOST_NAMED).join(', ')}${rest}`;
  return { message: `the role "${role}" has no right to use ${named} in "${schema}"`, advice };
}

/** The tables, views and functions that the role may not use. Partitions are used through their tables. */
async function refusedParts(schema: string, statements: Statements): Promise<string[]> {
  const rows = await statements.query<{ name: string }>(
    `select relname::text as name from pg_catalog.pg_class
       where relnamespace = to_regnamespace($1)::oid and not relispartition
         and (relkind in ('r', 'p', 'v') and not has_table_privilege(oid, 'select')
           or relkind in ('r', 'p') and not (has_table_privilege(oid, 'insert')
             and has_table_privilege(oid, 'update') and has_table_privilege(oid, 'delete')))
     union select proname::text from pg_catalog.pg_proc
       where pronamespace = to_regnamespace($1)::oid and not has_function_privilege(oid, 'execute')
     order by name`,
    [schema],
  );
  return rows.map(({ name }) => name);
}

/** People who set it up may read the address, unlike callers. */
function explained(error: Error, url: URL, setting: string): StorageProblem {
  const { code, message } = (error.cause ?? error) as NodeJS.ErrnoException;
  const place = url.host;
  const user = decodeURIComponent(url.username);
  const advice = `correct "${setting}"`;
  switch (code) {
    case '28P01':
      return {
        message: `the database at ${place} refuses the user "${user}" or its password`,
        advice,
      };
    case '28000':
      return {
        message: `the database at ${place} does not let the user "${user}" in from this machine`,
        advice: `${advice}, or the role and pg_hba.conf of the database`,
      };
    case '3D000': {
      const name = decodeURIComponent(url.pathname.slice(1));
      return {
        message: `there is no database "${name}" at ${place}`,
        advice: `create it, or ${advice}`,
      };
    }
    case 'ENOTFOUND':
    case 'EAI_AGAIN':
      return { message: `the host name "${url.hostname}" is not known`, advice };
    case 'ECONNREFUSED':
      return { message: `nothing listens at ${place}`, advice: `start the database, or ${advice}` };
    default:
  }
  // The driver has no code for these two.
  if (message.startsWith('SASL')) {
    return { message: `the database at ${place} wants a password, and the URL has none`, advice };
  }
  if (/timeout|timed out/i.test(message)) {
    return {
      message: `the database at ${place} does not answer`,
      advice: `check the host, port and network, or ${advice}`,
    };
  }
  const reason =
    error instanceof StorageError
      ? error.message
      : `it cannot be opened (${code ?? 'unknown reason'})`;
  return { message: reason, advice: `check "${setting}" and the database` };
}
