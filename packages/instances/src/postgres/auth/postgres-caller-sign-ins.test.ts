import { type CallerSignIn, revokeSignIns } from '@callsign/auth';
import { expect, it, onTestFinished } from 'vitest';

import { describePostgres, type TestPostgres } from '../../../../../test/testing/postgres.js';
import { REAL_CLOCK } from '../../../../../test/testing/real-clock.js';
import type { Database } from '../database/database.js';
import { openStorage, type SharedStorage } from '../storage.js';

const SECRET = 'a secret of more than 32 characters !!';

function signIn(id: string): CallerSignIn {
  return {
    id,
    person: { name: 'sub:CANARY', roles: ['reader'] },
    client: { id: 'c', name: 'C', host: 'c.example' },
    resource: 'https://gateway.example.com/mcp',
    refreshes: true,
    createdAt: 1,
    renewedAt: 1,
    endsAt: 2,
    access: [{ hash: 'sha256:x', expiresAt: 2 }],
  };
}

describePostgres("people's sign-ins in the database", (postgres) => {
  it('count on every instance, and end on every instance', async () => {
    const database = await postgres.open();
    const [one, two] = [await instance(postgres, database), await instance(postgres, database)];
    expect(one.callerSignIns.get().signIns).toEqual([]);
    const result = await one.callerSignIns.change((state) => state.signIns.push(signIn('a')));
    expect(result).toBe(1);
    await expect.poll(() => two.callerSignIns.get().signIns).toEqual([signIn('a')]);
    expect(two.callerSignIns.get()).toBe(two.callerSignIns.get());
    await two.callerSignIns.change((state) =>
      revokeSignIns(state, signIn('a').resource, { ids: ['a'] }, 1),
    );
    await expect.poll(() => one.callerSignIns.get().signIns).toEqual([]);
  });

  it('are changed by one instance at a time, so nothing is lost', async () => {
    const database = await postgres.open();
    const all = await Promise.all([instance(postgres, database), instance(postgres, database)]);
    const ids = Array.from({ length: 10 }, (_, i) => `id-${i}`);
    await Promise.all(
      ids.map((id, i) =>
        all[i % 2]!.callerSignIns.change((state) => void state.signIns.push(signIn(id))),
      ),
    );
    for (const { callerSignIns } of all) {
      await expect
        .poll(() =>
          callerSignIns
            .get()
            .signIns.map(({ id }) => id)
            .toSorted(),
        )
        .toEqual(ids);
    }
  });

  it('cannot be read or made by a person who has only the database', async () => {
    const database = await postgres.open();
    const { callerSignIns } = await instance(postgres, database);
    await callerSignIns.change((state) => void state.signIns.push(signIn('a')));
    const documents = database.name('documents');
    const rows = await database.query<{ text: string }>(`select * from ${documents}`);
    expect(JSON.stringify(rows)).not.toContain('CANARY');
    const forged = JSON.stringify({ version: 1, clients: [], codes: [], signIns: [signIn('b')] });
    await database.query(
      `update ${documents} set text = $1, changed_at = clock_timestamp() where name like 'caller%'`,
      [forged],
    );
    await expect.poll(() => callerSignIns.get().signIns, { timeout: 4_000 }).toEqual([]);
    await expect(callerSignIns.change(() => undefined)).rejects.toThrow(
      'a sign-in in the database was encrypted with another secret',
    );
  });

  it('need the secret, which also opens the pages of other instances', async () => {
    const database = await postgres.open();
    const [one, two] = [await instance(postgres, database), await instance(postgres, database)];
    expect(one.callerSignIns.pageKey).toEqual(two.callerSignIns.pageKey);
    const without = await instance(postgres, database, null);
    await expect(
      without.callerSignIns.change((state) => void state.signIns.push(signIn('a'))),
    ).rejects.toThrow('storage.secrets is not set');
    expect(without.callerSignIns.pageKey).not.toEqual(one.callerSignIns.pageKey);
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
