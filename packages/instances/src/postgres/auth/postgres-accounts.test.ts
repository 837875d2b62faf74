import { type Account, accountKey } from '@callsign/auth';
import { expect, it, onTestFinished } from 'vitest';

import { describePostgres, type TestPostgres } from '../../../../../test/testing/postgres.js';
import { REAL_CLOCK } from '../../../../../test/testing/real-clock.js';
import type { Database } from '../database/database.js';
import { openStorage, type SharedStorage } from '../storage.js';

const SECRET = 'a secret of more than 32 characters !!';

function accountOf(person: string): Account {
  const values = { TOKEN: `CANARY of ${person}` };
  return { id: `id of ${person}`, person, server: 'notes', createdAt: 1, values };
}

describePostgres("people's accounts in the database", (postgres) => {
  it('count on every instance, and end on every instance', async () => {
    const database = await postgres.open();
    const [one, two] = [await instance(postgres, database), await instance(postgres, database)];
    const [ann, bob] = [accountOf('key:ann'), accountOf('key:bob')];
    let told = 0;
    two.accounts.watch(() => told++);
    expect(two.accounts.list()).toEqual([]);
    await Promise.all([one.accounts.change(ann, () => ann), two.accounts.change(bob, () => bob)]);
    await expect.poll(() => two.accounts.list().length).toBe(2);
    expect(told).toBeGreaterThan(0);
    expect(two.accounts.list()).toBe(two.accounts.list());
    expect(await two.accounts.read(ann)).toEqual(ann);
    await two.accounts.change(ann, () => undefined);
    await expect.poll(() => one.accounts.list()).toEqual([bob]);
    expect(await one.accounts.read(ann)).toBeUndefined();
  });

  it('cannot be read, or given to another person, by a person who has only the database', async () => {
    const database = await postgres.open();
    const { accounts } = await instance(postgres, database);
    const [ann, bob] = [accountOf('key:ann'), accountOf('key:bob')];
    await accounts.change(ann, () => ann);
    const documents = database.name('documents');
    const rows = await database.query<{ text: string }>(`select * from ${documents}`);
    for (const word of ['CANARY', 'key:ann', 'notes'])
      expect(JSON.stringify(rows)).not.toContain(word);
    await database.query(
      `update ${documents} set name = $1, changed_at = clock_timestamp() where name like 'account/%'`,
      [`account/${accountKey(bob)}`],
    );
    await expect.poll(() => accounts.list(), { timeout: 4_000 }).toEqual([]);
    await expect(accounts.read(bob)).rejects.toThrow(
      'an account in the database was encrypted with another secret',
    );
  });

  it('need the secret', async () => {
    const without = await instance(postgres, await postgres.open(), null);
    await expect(without.accounts.probe()).rejects.toThrow('storage.secrets is not set');
    const ann = accountOf('key:ann');
    await expect(without.accounts.change(ann, () => ann)).rejects.toThrow('is not set');
  });
});

async function instance(
  postgres: TestPostgres,
  { schema }: Database,
  secret: string | null = SECRET,
): Promise<SharedStorage> {
  const { url, direct } = postgres.server;
  const settings = {
    postgres: url,
    direct,
    schema,
    connections: 1,
    ...(secret === null ? {} : { secrets: [secret] }),
  };
  const storage = await openStorage({
    settings,
    clock: REAL_CLOCK,
    log: () => undefined,
    isBrief: false,
  });
  onTestFinished(() => storage.close());
  return storage;
}
