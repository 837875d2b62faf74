/** A real PostgreSQL for the tests of one file, and an empty schema for each test. */

import { randomBytes } from 'node:crypto';

import { connectionOptions, Database, migrate } from '@callsign/instances/postgres';
import { afterAll, beforeAll, onTestFinished } from 'vitest';

import { startPostgres, type PostgresServer } from '../../scripts/postgres/postgres-server.mjs';
import { describeUnless, NO_POSTGRES } from './left-out.js';

export { startPostgres, type PostgresServer };

export interface TestPostgres {
  readonly server: PostgresServer;
  /** A separate schema, without tables. */
  empty(): Database;
  /** A separate schema, with tables. */
  open(): Promise<Database>;
  /** Stops the server. It is started again after the test, if not before. */
  stop(): Promise<void>;
  /** Another instance's connections to the same schema. */
  again(database: { readonly schema: string }): Database;
}

/** Runs tests with a PostgreSQL. They are left out where the platform has none. */
export function describePostgres(name: string, tests: (postgres: TestPostgres) => void): void {
  describeUnless(NO_POSTGRES, name, () => {
    let server: PostgresServer | undefined;
    const connect = (schema: string): Database => {
      const connection = connectionOptions(server!.url, undefined);
      const database = new Database({ connection, schema, connections: 8 });
      onTestFinished(() => database.close());
      return database;
    };
    const postgres: TestPostgres = {
      get server() {
        return server!;
      },
      empty: () => connect(`test_${randomBytes(6).toString('hex')}`),
      async open() {
        const database = postgres.empty();
        await migrate(database);
        return database;
      },
      async stop() {
        onTestFinished(() => server!.start());
        await server!.stop();
      },
      again: ({ schema }) => connect(schema),
    };
    beforeAll(async () => {
      server = await startPostgres();
    });
    afterAll(() => server?.remove());
    tests(postgres);
  });
}
