import { expect, it, onTestFinished } from 'vitest';

import { approvalStoreContract, posted } from '../../../../../test/contracts/approval-store.js';
import { announcement } from '../../../../../test/contracts/instance-directory.js';
import { quotaContract } from '../../../../../test/contracts/quota-store.js';
import { describePostgres } from '../../../../../test/testing/postgres.js';
import { REAL_CLOCK } from '../../../../../test/testing/real-clock.js';
import { connectionOptions } from '../database/connection-options.js';
import type { Database } from '../database/database.js';
import { postgresDirectory } from '../instances/postgres-directory.js';
import { PostgresNews } from '../instances/postgres-news.js';
import { postgresAnswers, postgresApprovals } from './postgres-approvals.js';
import { forgetOld } from '../storage.js';
import { postgresQuotas } from './postgres-quotas.js';

describePostgres('governance on PostgreSQL', (postgres) => {
  async function newsOf(database: Database): Promise<PostgresNews> {
    const connection = connectionOptions(postgres.server.direct, undefined);
    const news = new PostgresNews({ database, connection, clock: REAL_CLOCK });
    onTestFinished(() => news.close());
    await news.open();
    return news;
  }

  approvalStoreContract('a store in a database', async () => {
    const database = await postgres.open();
    const other = postgres.again(database);
    for (const id of ['a', 'b']) await postgresDirectory(database).announce(announcement(id));
    return [
      postgresApprovals(database, await newsOf(database)),
      postgresApprovals(other, await newsOf(other)),
    ];
  });

  it('does not show calls of an instance that has ended', async () => {
    const database = await postgres.open();
    const [store, directory] = [
      postgresApprovals(database, await newsOf(database)),
      postgresDirectory(database),
    ];
    await directory.announce(announcement('a'));
    await store.post(posted('one'));
    expect(await store.list()).toHaveLength(1);
    await directory.leave('a');
    expect(await store.list()).toEqual([]);
    expect(await store.find('one')).toBeUndefined();
    expect(await store.decide('one', { approve: true })).toBe(false);
  });

  quotaContract('quotas in a database', async () => postgresQuotas(await postgres.open()));

  it('remembers answers for a time, and gives a one-time answer to one instance', async () => {
    const database = await postgres.open();
    const [a, b] = [postgresAnswers(database), postgresAnswers(postgres.again(database))];
    await a.add('ann', 'key', 60_000);
    expect(await b.has('ann', ['other', 'key'])).toBe(true);
    expect(await b.has('bob', ['key'])).toBe(false);
    expect(await b.has('ann', [])).toBe(false);
    const taken = await Promise.all(
      Array.from({ length: 10 }, (_, n) => [a, b][n % 2]!.take('ann', 'key')),
    );
    expect(taken.filter(Boolean)).toHaveLength(1);
    await a.add('ann', 'short', 50);
    await expect.poll(() => b.has('ann', ['short'])).toBe(false);
    expect(await b.take('ann', 'short')).toBe(false);
  });

  it('forgets what has expired', async () => {
    const database = await postgres.open();
    await postgresAnswers(database).add('ann', 'short', 1);
    await postgresAnswers(database).add('ann', 'long', 60_000);
    await expect
      .poll(async () => {
        await forgetOld(database);
        return await database.query(`select key from ${database.name('answers')}`);
      })
      .toEqual([{ key: 'long' }]);
  });
});
