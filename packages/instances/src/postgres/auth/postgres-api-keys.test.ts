import { fakeClock } from '@callsign/core/testing';
import { expect, it, onTestFinished } from 'vitest';

import { apiKey, apiKeyContract } from '../../../../../test/contracts/api-key-store.js';
import { describePostgres, type TestPostgres } from '../../../../../test/testing/postgres.js';
import { REAL_CLOCK } from '../../../../../test/testing/real-clock.js';
import type { News } from '../../news/news.js';
import { StorageError } from '../../storage/storage-error.js';
import type { Database } from '../database/database.js';
import { PostgresDocuments } from '../documents/postgres-documents.js';
import { openStorage, type SharedStorage } from '../storage.js';
import { PostgresApiKeys } from './postgres-api-keys.js';

const [OLD, NEW] = ['the old secret of 32 characters !!', 'the new secret of 32 characters !!'];

interface Row {
  readonly name: string;
  readonly text: string;
}

describePostgres('API keys in the database', (postgres) => {
  apiKeyContract('as a store', async () => {
    const database = await postgres.open();
    const again = async () => (await instance(postgres, database)).apiKeys;
    return { store: await again(), again };
  });

  it('count on every instance at once, and end on every instance', async () => {
    const database = await postgres.open();
    const [one, two] = [await instance(postgres, database), await instance(postgres, database)];
    let news = 0;
    two.apiKeys.watch(() => news++);
    const key = apiKey('ci');
    await one.apiKeys.add(key);
    await expect.poll(() => two.apiKeys.list()).toEqual([key]);
    expect(news).toBeGreaterThan(0);
    await two.apiKeys.remove('ci');
    await expect.poll(() => one.apiKeys.list()).toEqual([]);
  });

  it('are made once, even if two operators add the same name', async () => {
    const database = await postgres.open();
    const all = await Promise.all([instance(postgres, database), instance(postgres, database)]);
    const keys = [apiKey('ci'), apiKey('ci')];
    const added = await Promise.all(all.map(({ apiKeys }, n) => apiKeys.add(keys[n]!)));
    expect(added.filter(Boolean)).toEqual([true]);
    const winner = keys.find((_, n) => added[n]);
    for (const { apiKeys } of all) await expect.poll(() => apiKeys.list()).toEqual([winner]);
  });

  it('are known within two seconds without news', async () => {
    const database = await postgres.open();
    // News goes over a connection of its own, and this address has no database.
    const deaf = { direct: 'postgres://127.0.0.1:1/none' };
    const [one, two] = [
      await instance(postgres, database),
      await instance(postgres, database, deaf),
    ];
    expect(two.news.isLive).toBe(false);
    const key = apiKey('ci');
    await one.apiKeys.add(key);
    await expect.poll(() => two.apiKeys.list(), { timeout: 4_000 }).toEqual([key]);
    await one.apiKeys.remove('ci');
    await expect.poll(() => two.apiKeys.list(), { timeout: 4_000 }).toEqual([]);
  });

  it('are known within two seconds if news is lost and the connection for it seems to be live', async () => {
    const database = await postgres.open();
    const one = await instance(postgres, database);
    const clock = fakeClock();
    const lost: News = { isLive: true, publish: async () => undefined, subscribe: () => () => {} };
    const documents = new PostgresDocuments({
      database: postgres.again(database),
      news: lost,
      clock,
    });
    onTestFinished(() => documents.close());
    await documents.open(false);
    const deaf = new PostgresApiKeys({ documents, secrets: [OLD], schema: database.schema });
    await one.apiKeys.add(apiKey('ci'));
    expect(deaf.list()).toEqual([]);
    await clock.pass(2_000);
    await expect.poll(() => deaf.list()).toHaveLength(1);
    await one.apiKeys.remove('ci');
    await clock.pass(2_000);
    await expect.poll(() => deaf.list()).toEqual([]);
  });

  it('show neither hash nor roles to a person who reads the database', async () => {
    const database = await postgres.open();
    const { apiKeys } = await instance(postgres, database);
    const key = apiKey('ci', { roles: ['CANARY'] });
    await apiKeys.add(key);
    const rows = JSON.stringify(await rowsIn(database));
    expect(rows).toContain('api-key/ci');
    expect(rows).not.toContain('CANARY');
    expect(rows).not.toContain(key.hash.slice('sha256:'.length));
  });

  it('cannot be made, moved or changed by a person who can only write to the database', async () => {
    const database = await postgres.open();
    const { apiKeys } = await instance(postgres, database);
    await apiKeys.add(apiKey('reader'));
    const admin = apiKey('admin', { roles: ['all'], console: 'operator' });
    await apiKeys.add(admin);
    const documents = database.name('documents');
    const write = async (name: string, text: string): Promise<void> => {
      await database.query(
        `insert into ${documents} (name, text) values ($1, $2)
         on conflict (name) do update set text = excluded.text, changed_at = clock_timestamp()`,
        [name, text],
      );
    };
    const rows = await rowsIn(database);
    const sealed = rows.find(({ name }) => name === 'api-key/admin')!.text;
    // A key of their own, the rights of another key, and a row that was changed.
    await write('api-key/evil', JSON.stringify(apiKey('evil', { roles: ['all'] })));
    await write('api-key/reader', sealed);
    const { apiKeys: fresh } = await brief(postgres, database);
    expect(fresh.list()).toEqual([admin]);
    await write('api-key/admin', `${sealed.slice(0, -2)}AA`);
    expect((await brief(postgres, database)).apiKeys.list()).toEqual([]);
  });

  it('need the secret at start, and are encrypted with the newest one', async () => {
    const database = await postgres.open();
    const without = await instance(postgres, database, { secrets: undefined });
    await expect(without.apiKeys.add(apiKey('ci'))).rejects.toThrow('storage.secrets is not set');
    const key = apiKey('ci');
    await (await instance(postgres, database)).apiKeys.add(key);
    for (const [secrets, reason] of [
      [undefined, 'storage.secrets is not set, but API keys in the database are encrypted with it'],
      [[NEW], 'an API key in the database was encrypted with another secret'],
    ] as const) {
      const failed = await instance(postgres, database, { secrets }).catch(
        (error: unknown) => error,
      );
      expect(failed).toBeInstanceOf(StorageError);
      expect((failed as Error).message).toContain(reason);
    }
    await instance(postgres, database, { secrets: [NEW, OLD] });
    const last = await instance(postgres, database, { secrets: [NEW] });
    expect(last.apiKeys.list()).toEqual([key]);
  });

  it('count as they were while the database is away', async () => {
    const database = await postgres.open();
    const { apiKeys } = await instance(postgres, database);
    const key = apiKey('ci');
    await apiKeys.add(key);
    await postgres.stop();
    expect(apiKeys.list()).toEqual([key]);
    await expect(apiKeys.remove('ci')).rejects.toThrow('the database cannot be reached');
    expect(apiKeys.list()).toEqual([key]);
  });
});

interface Differences {
  readonly secrets?: readonly string[] | undefined;
  readonly direct?: string;
}

async function instance(
  postgres: TestPostgres,
  { schema }: Database,
  differences: Differences = {},
  isBrief = false,
): Promise<SharedStorage> {
  const { secrets, ...others } = { secrets: [OLD], ...differences };
  const { url, direct } = postgres.server;
  const settings = {
    postgres: url,
    direct,
    schema,
    connections: 1,
    ...(secrets ? { secrets } : {}),
    ...others,
  };
  const storage = await openStorage({ settings, clock: REAL_CLOCK, log: () => undefined, isBrief });
  onTestFinished(() => storage.close());
  return storage;
}

/** As a command opens it: it does not check all keys first. */
function brief(postgres: TestPostgres, database: Database): Promise<SharedStorage> {
  return instance(postgres, database, {}, true);
}

async function rowsIn(database: Database): Promise<Row[]> {
  return await database.query<Row>(`select name, text from ${database.name('documents')}`);
}
