import { expect, it } from 'vitest';

import { describePostgres } from '../../../../test/testing/postgres.js';

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
});
