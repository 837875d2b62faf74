import { expect, it, onTestFinished } from 'vitest';

import { describePostgres } from '../../../../../test/testing/postgres.js';
import { connectionOptions } from './connection-options.js';
import { Database } from './database.js';

describePostgres('a database', (postgres) => {
  it('ends a question that takes too long, on the server too, and says why', async () => {
    const database = postgres.empty();
    const mark = `too_long_${database.schema}`;
    const asked = database.transaction(
      (statements) => statements.query(`select pg_sleep(60) as ${mark}`),
      200,
    );
    await expect(asked).rejects.toThrow('the question took too long for the database');
    const [left] = await database.query<{ count: number }>(
      `select count(*) as count from pg_stat_activity
       where state = 'active' and query like '%pg_sleep(60) as ${mark}%' and pid <> pg_backend_pid()`,
    );
    expect(left).toEqual({ count: 0 });
  });

  it('leaves a connection whose server only reads, as after a failover', async () => {
    const { schema } = await postgres.open();
    const connection = connectionOptions(postgres.server.direct, undefined);
    const database = new Database({ connection, schema, connections: 1 });
    onTestFinished(() => database.close());
    await database.transaction(async (statements) => {
      await statements.query('set session characteristics as transaction read only');
    });
    const write = (): Promise<unknown> =>
      database.transaction((statements) =>
        statements.query(`delete from ${database.name('instances')}`),
      );
    await expect(write()).rejects.toThrow('in a read-only transaction');
    await write();
  });
});
