import { join } from 'node:path';

import { fileLock, startedFrom, ToolLock } from '@callsign/governance';
import { expect, it, onTestFinished } from 'vitest';

import { tool } from '../../../../../test/testing/offered.js';
import { describePostgres } from '../../../../../test/testing/postgres.js';
import { REAL_CLOCK } from '../../../../../test/testing/real-clock.js';
import { scratch } from '../../../../../test/testing/scratch.js';
import { connectionOptions } from '../database/connection-options.js';
import { Database } from '../database/database.js';
import { PostgresNews } from '../instances/postgres-news.js';
import { PostgresDocuments, postgresLock } from './postgres-documents.js';

describePostgres('the lock in the database', (postgres) => {
  it('holds for all instances as soon as one of them accepts', async () => {
    const database = await postgres.open();
    const [one, two] = [await opened(database, true), await opened(database, true)];
    const lock = new ToolLock(one.store);
    const other = new ToolLock(two.store);
    let isHeard = false;
    two.store.watch(() => (isHeard = other.reload() || isHeard));
    await lock.pin('fs', [tool('read')]);
    await expect.poll(() => isHeard).toBe(true);
    expect(other.standing('fs', tool('read'))).toEqual({ is: 'accepted' });
    expect(other.standing('fs', tool('write'))).toEqual({ is: 'new' });
    expect(lock.file).toBe(`the database (schema "${database.schema}")`);
  });

  it('is found at the next reading if no news comes', async () => {
    const database = await postgres.open();
    const [one, deaf] = [await opened(database, true), await opened(database, false)];
    const other = new ToolLock(deaf.store);
    deaf.store.watch(() => other.reload());
    await new ToolLock(one.store).pin('fs', [tool('read')]);
    await expect
      .poll(() => other.standing('fs', tool('read')), { timeout: 10_000 })
      .toEqual({ is: 'accepted' });
  });

  it('loses nothing that instances accept at the same moment', async () => {
    const database = await postgres.open();
    const stores = await Promise.all(Array.from({ length: 6 }, () => opened(database, true)));
    const locks = stores.map(({ store }) => new ToolLock(store));
    await Promise.all(locks.map((lock, n) => lock.pin(`server-${n}`, [tool('read')])));
    await Promise.all(locks.map((lock, n) => lock.pin('both', [tool(`by-${n}`)])));
    const last = new ToolLock((await opened(database, false)).store);
    for (let n = 0; n < 6; n++) expect(last.tools(`server-${n}`)?.size).toBe(1);
    // The first acceptance counts for all.
    const winner = [...last.tools('both')!.keys()];
    expect(winner).toHaveLength(1);
    for (const lock of locks) {
      await expect
        .poll(() => {
          lock.reload();
          return [...lock.tools('both')!.keys()];
        })
        .toEqual(winner);
    }
  });

  it('starts with the file beside the configuration', async () => {
    const database = await postgres.open();
    const file = fileLock(join(scratch(), 'callsign.lock.json'));
    await new ToolLock(file).pin('fs', [tool('read')]);
    const { store } = await opened(database, true);
    const lock = new ToolLock(startedFrom(store, file));
    expect(lock.standing('fs', tool('read'))).toEqual({ is: 'accepted' });
    await lock.pin('git', [tool('log')]);
    // An instance without the file has both.
    const other = new ToolLock((await opened(database, false)).store);
    expect(other.standing('fs', tool('read'))).toEqual({ is: 'accepted' });
    expect(other.standing('git', tool('log'))).toEqual({ is: 'accepted' });
  });

  it('keeps what was accepted while the database cannot be reached, and refuses a change', async () => {
    const database = await postgres.open();
    const { store } = await opened(database, true);
    const lock = new ToolLock(store);
    await lock.pin('fs', [tool('read')]);
    await postgres.stop();
    expect(lock.reload()).toBe(false);
    expect(lock.standing('fs', tool('read'))).toEqual({ is: 'accepted' });
    await expect(lock.accept('fs', [tool('read'), tool('write')])).rejects.toThrow(
      'the database cannot be reached',
    );
    expect(lock.standing('fs', tool('write'))).toEqual({ is: 'new' });
  });

  /** A separate instance. `hears`: whether it gets news. */
  async function opened(
    { schema }: Database,
    hears: boolean,
  ): Promise<{ store: ReturnType<typeof postgresLock> }> {
    const connection = connectionOptions(postgres.server.url, undefined);
    const direct = connectionOptions(postgres.server.direct, undefined);
    const database = new Database({ connection, schema, connections: 2 });
    const news = new PostgresNews({ database, connection: direct, clock: REAL_CLOCK });
    if (hears) await news.open();
    const documents = new PostgresDocuments({ database, news, clock: REAL_CLOCK });
    await documents.open(false);
    onTestFinished(async () => {
      documents.close();
      await news.close();
      await database.close();
    });
    return { store: postgresLock(documents, schema) };
  }
});
