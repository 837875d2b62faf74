import { fakeClock } from '@callsign/core/testing';
import { expect, it, onTestFinished } from 'vitest';

import {
  announcement,
  directoryContract,
  REPORT,
} from '../../../../../test/contracts/instance-directory.js';
import { leasesContract } from '../../../../../test/contracts/leases.js';
import { describePostgres } from '../../../../../test/testing/postgres.js';
import { REAL_CLOCK } from '../../../../../test/testing/real-clock.js';
import { connectionOptions } from '../database/connection-options.js';
import type { Database } from '../database/database.js';
import { postgresDirectory } from './postgres-directory.js';
import { postgresLeases } from './postgres-leases.js';
import { PostgresNews } from './postgres-news.js';

describePostgres('instances on PostgreSQL', (postgres) => {
  directoryContract('a directory in a database', async (silenceMs) =>
    postgresDirectory(await postgres.open(), silenceMs),
  );

  it('ignores a report in a form that it does not know', async () => {
    const database = await postgres.open();
    const directory = postgresDirectory(database);
    await directory.announce(announcement('a'), REPORT);
    await database.query(`update ${database.name('instances')} set report = '{"host": 1}'`);
    const [known] = await directory.known();
    expect(known).toMatchObject(announcement('a'));
    expect(known).not.toHaveProperty('report');
  });

  it('forgets an instance a day after it ended without leaving', async () => {
    const database = await postgres.open();
    const directory = postgresDirectory(database);
    for (const id of ['old', 'new']) await directory.announce(announcement(id), REPORT);
    await database.query(
      `update ${database.name('instances')} set seen_at = now() - interval '25 hours' where id = 'old'`,
    );
    expect((await directory.known()).map(({ id }) => id)).toEqual(['new']);
    await directory.leave('another');
    expect(await database.query(`select id from ${database.name('instances')}`)).toEqual([
      { id: 'new' },
    ]);
  });

  leasesContract('leases in a database', async () => postgresLeases(await postgres.open()));

  it('gives a lease to one of many processes that ask at once', async () => {
    const database = await postgres.open();
    const all = [database, postgres.again(database), postgres.again(database)].map(postgresLeases);
    const taken = await Promise.all(
      Array.from({ length: 30 }, (_, n) => all[n % 3]!.take('server:fs', `${n}`, 60_000)),
    );
    expect(taken.filter((lease) => lease !== undefined)).toHaveLength(1);
  });

  async function news(database: Database): Promise<PostgresNews> {
    const connection = connectionOptions(postgres.server.direct, undefined);
    const opened = new PostgresNews({ database, connection, clock: REAL_CLOCK });
    onTestFinished(() => opened.close());
    await opened.open();
    return opened;
  }

  it('sends news to every instance', async () => {
    const database = await postgres.open();
    const [a, b] = [await news(database), await news(postgres.again(database))];
    const heard: string[] = [];
    a.subscribe('approvals', (text) => heard.push(`a ${text}`));
    b.subscribe('approvals', (text) => heard.push(`b ${text}`));
    b.subscribe('other', (text) => heard.push(`other ${text}`));
    await a.publish('approvals', 'line one\nline two');
    await expect
      .poll(() => heard.toSorted())
      .toEqual(['a line one\nline two', 'b line one\nline two']);
  });

  it('listens again after an outage of the database, and says that news may be missing', async () => {
    const database = await postgres.open();
    const opened = await news(database);
    const heard: string[] = [];
    opened.subscribe('approvals', (text) => heard.push(text));
    expect(opened.isLive).toBe(true);
    await postgres.stop();
    await expect.poll(() => opened.isLive).toBe(false);
    await expect(opened.publish('approvals', 'lost')).rejects.toThrow(
      'the database cannot be reached',
    );
    await postgres.server.start();
    await expect.poll(() => opened.isLive).toBe(true);
    expect(heard).toEqual(['']);
    await opened.publish('approvals', 'hello');
    await expect.poll(() => heard).toEqual(['', 'hello']);
  });

  it('notices when the connection for news breaks', async () => {
    const database = await postgres.open();
    const opened = await news(database);
    const heard: string[] = [];
    opened.subscribe('approvals', (text) => heard.push(text));
    await database.query(
      `select pg_terminate_backend(pid) from pg_stat_activity where query like 'listen%'`,
    );
    await expect.poll(() => heard).toEqual(['']);
    await opened.publish('approvals', 'hello');
    await expect.poll(() => heard).toEqual(['', 'hello']);
  });

  it('sets no timer for news after it is closed', async () => {
    const clock = fakeClock();
    const connection = connectionOptions('postgres://127.0.0.1:1/none', undefined);
    const opened = new PostgresNews({ database: await postgres.open(), connection, clock });
    await opened.open();
    expect(opened.isLive).toBe(false);
    await opened.close();
    await clock.pass(60_000);
    expect(opened.isLive).toBe(false);
  });
});
