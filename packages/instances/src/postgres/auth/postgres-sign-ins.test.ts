import { signIn, SignInCredentials, type SignInRecord } from '@callsign/auth';
import { expect, it, onTestFinished } from 'vitest';

import { describePostgres, type TestPostgres } from '../../../../../test/testing/postgres.js';
import { browse, startProtected } from '../../../../../test/testing/protected-server.js';
import { REAL_CLOCK } from '../../../../../test/testing/real-clock.js';
import { StorageError } from '../../storage/storage-error.js';
import type { Database } from '../database/database.js';
import { openStorage, type SharedStorage } from '../storage.js';

const [OLD, NEW] = ['the old secret of 32 characters !!', 'the new secret of 32 characters !!'];
const RECORD: SignInRecord = {
  server: 'a',
  url: 'https://a.example/mcp?key=CANARY',
  authorizationServer: 'https://login.example',
  client: { client_id: 'callsign' },
  accessToken: 'CANARY-access',
  refreshToken: 'CANARY-refresh',
  issuedAt: 1,
};
const ENTRY = { key: RECORD.server, url: RECORD.url };

describePostgres('sign-ins in the database', (postgres) => {
  it('are seen by every instance, and each address has its own', async () => {
    const database = await postgres.open();
    const [one, two] = await instances(postgres, database, [OLD], [OLD]);
    let news = 0;
    two!.signIns.watch(() => news++);
    expect(await two!.signIns.find(ENTRY)).toBeUndefined();
    await one!.signIns.save(RECORD);
    expect(await two!.signIns.find(ENTRY)).toEqual(RECORD);
    await expect.poll(() => two!.signIns.holder(ENTRY)).toBe(one!.signIns.holder(ENTRY));
    expect(news).toBeGreaterThan(0);
    for (const other of [
      { ...ENTRY, url: 'https://evil.example/mcp' },
      { ...ENTRY, key: 'b' },
    ]) {
      expect(await two!.signIns.find(other)).toBeUndefined();
      expect(two!.signIns.holder(other)).toBeUndefined();
    }
    await two!.signIns.remove(ENTRY);
    expect(await one!.signIns.find(ENTRY)).toBeUndefined();
    await expect.poll(() => one!.signIns.holder(ENTRY)).toBeUndefined();
  });

  it('cannot be read in the database, nor swapped there', async () => {
    const database = await postgres.open();
    const [one] = await instances(postgres, database, [OLD]);
    await one!.signIns.save(RECORD);
    const other = { ...RECORD, server: 'b', url: 'https://b.example/mcp' };
    await one!.signIns.save(other);
    const documents = database.name('documents');
    const rows = await database.query<{ name: string; text: string }>(`select * from ${documents}`);
    expect(rows).toHaveLength(2);
    expect(JSON.stringify(rows)).not.toMatch(/CANARY|login\.example/);
    // An attacker with access to the database swaps the rows, so that tokens would go to another
    // server.
    const [first, second] = rows as [(typeof rows)[0], (typeof rows)[0]];
    await database.query(`update ${documents} set text = $2 where name = $1`, [
      first.name,
      second.text,
    ]);
    const found = await Promise.allSettled([
      one!.signIns.find(ENTRY),
      one!.signIns.find({ key: other.server, url: other.url }),
    ]);
    expect(found.map(({ status }) => status).toSorted()).toEqual(['fulfilled', 'rejected']);
  });

  it('need the secret at start, and say so', async () => {
    const database = await postgres.open();
    const [without] = await instances(postgres, database, undefined);
    await expect(without!.signIns.probe()).rejects.toThrow('storage.secrets is not set');
    await expect(without!.signIns.save(RECORD)).rejects.toThrow('storage.secrets is not set');
    const [one] = await instances(postgres, database, [OLD]);
    await one!.signIns.save(RECORD);
    for (const [secrets, reason] of [
      [undefined, 'storage.secrets is not set'],
      [[NEW], 'encrypted with another secret'],
    ] as const) {
      const failed = await instances(postgres, database, secrets).catch((error: unknown) => error);
      expect(failed).toBeInstanceOf(StorageError);
      expect((failed as Error).message).toContain(reason);
      expect((failed as Error).message).not.toContain('CANARY');
    }
  });

  it('are read with an older secret, and encrypted with the newest one at the next start', async () => {
    const database = await postgres.open();
    const [one] = await instances(postgres, database, [OLD]);
    await one!.signIns.save(RECORD);
    // Instances with and without the new secret run at the same time.
    await instances(postgres, database, [OLD, NEW]);
    expect(await one!.signIns.find(ENTRY)).toEqual(RECORD);
    await instances(postgres, database, [NEW, OLD]);
    const [last] = await instances(postgres, database, [NEW]);
    expect(await last!.signIns.find(ENTRY)).toEqual(RECORD);
    await expect(one!.signIns.find(ENTRY)).rejects.toThrow('another secret');
  });

  it('are renewed once among all instances, since a refresh token works once', async () => {
    const database = await postgres.open();
    const { authorization, server, fetch } = await startProtected();
    const entry = { key: 's', url: server.url };
    const all = await instances(postgres, database, [OLD], [OLD], [OLD]);
    const [{ signIns: first }] = all as [SharedStorage];
    await signIn(entry, { store: first, fetch, openBrowser: browse });
    const record = (await first.find(entry))!;
    await first.save({ ...record, issuedAt: 1, expiresAt: Date.now() + 10_000 });
    const problems: string[] = [];
    const headers = await Promise.all(
      all.map(({ signIns: store }) =>
        new SignInCredentials(entry, {
          store,
          fetch,
          onProblem: (text) => problems.push(text),
        }).headers(),
      ),
    );
    expect(problems).toEqual([]);
    const tokens = new Set(headers.map((each) => each['authorization']));
    expect(tokens.size).toBe(1);
    expect(tokens).not.toContain(`Bearer ${record.accessToken}`);
    expect(authorization.isGood((await first.find(entry))!.accessToken)).toBe(true);
  });

  it('use the last known tokens while the database cannot be reached', async () => {
    const database = await postgres.open();
    const { server, fetch } = await startProtected();
    const entry = { key: 's', url: server.url };
    const [one] = await instances(postgres, database, [OLD]);
    await signIn(entry, { store: one!.signIns, fetch, openBrowser: browse });
    const credentials = new SignInCredentials(entry, { store: one!.signIns, fetch });
    const before = await credentials.headers();
    await postgres.stop();
    expect(await credentials.headers()).toEqual(before);
    await expect(one!.signIns.find(entry)).rejects.toThrow('the database cannot be reached');
  });
});

/** One instance for each list of secrets. */
async function instances(
  postgres: TestPostgres,
  { schema }: Database,
  ...secrets: (readonly string[] | undefined)[]
): Promise<SharedStorage[]> {
  const opened = secrets.map(async (each) => {
    const settings = {
      postgres: postgres.server.url,
      direct: postgres.server.direct,
      schema,
      connections: 1,
      ...(each ? { secrets: each } : {}),
    };
    const storage = await openStorage({ settings, clock: REAL_CLOCK, log: () => undefined });
    onTestFinished(() => storage.close());
    return storage;
  });
  return await Promise.all(opened);
}
