import { AuditReader } from '@callsign/audit/query';
import pg from 'pg';
import { expect, it, onTestFinished, vi } from 'vitest';

import { callRecord, sliceOf } from '../../../../../test/contracts/audit-store.js';
import { describePostgres } from '../../../../../test/testing/postgres.js';
import { REAL_CLOCK } from '../../../../../test/testing/real-clock.js';
import { scratch } from '../../../../../test/testing/scratch.js';
import { openStorage, type SharedStorage } from '../storage.js';
import type { Database } from './database.js';

const JOURNAL = '20261115T093012-writerab';

/** The rights that docs/many-instances.md gives an instance. */
async function grant(database: Database, role: string): Promise<void> {
  const schema = `"${database.schema}"`;
  for (const statement of [
    `create role ${role} login password 'not-a-secret'`,
    `grant usage on schema ${schema} to ${role}`,
    `grant select, insert, update, delete on all tables in schema ${schema} to ${role}`,
    `grant execute on all functions in schema ${schema} to ${role}`,
  ]) {
    await database.query(statement);
  }
}

describePostgres('the rights of an instance', (postgres) => {
  async function opened(database: Database, role: string): Promise<SharedStorage> {
    const url = new URL(postgres.server.url);
    url.username = role;
    const storage = await openStorage({
      settings: { postgres: url.href, schema: database.schema, connections: 2 },
      clock: REAL_CLOCK,
      log: () => undefined,
    });
    onTestFinished(() => storage.close());
    return storage;
  }

  it('are enough for an instance, and do not let it change the schema', async () => {
    const database = await postgres.open();
    const role = `role_${database.schema}`;
    await grant(database, role);
    const storage = await opened(database, role);
    await storage.calls.add(JOURNAL, sliceOf(callRecord(1)), undefined, { part: 1, offset: 1 });
    expect(await storage.calls.list({ limit: 10 })).toHaveLength(1);
    expect(await storage.calls.query!('select count(*) from calls', 1)).toMatchObject({
      rows: [[1]],
    });
    const source = storage.journals;
    const reader = new AuditReader({ folder: scratch(), store: storage.calls, source });
    expect(await reader.hasRecords()).toBe(true);
    expect(await storage.calls.prune('2026-12-01T00:00:00.000Z')).toBe(1);
    const lease = await storage.leases.take('server:fs', 'a', 1_000);
    expect(await storage.leases.renew(lease!, 1_000)).toBe(true);
    await storage.answers.add('ann', 'key', 1_000);
    await storage.orders.give('reload');
    const block = { key: 'k', holder: 'a', perMinute: 60, kept: 0, returned: 0, wanted: 1, ms: 1 };
    expect(await storage.quotas.take(block)).toMatchObject({ granted: 1 });
    expect(await storage.store.list()).toEqual([]);
    // The role may read nothing else.
    await expect(storage.calls.query!('select * from pg_authid', 1)).rejects.toThrow(
      'permission denied',
    );
  });

  it('are not enough to create the schema, and the error says so', async () => {
    const owner = await postgres.open();
    const role = `poor_${owner.schema}`;
    await owner.query(`create role ${role} login password 'not-a-secret'`);
    const elsewhere = postgres.empty();
    await expect(opened(elsewhere, role)).rejects.toThrow('permission denied');
  });

  it('say what to run once as the owner, if the schema is missing or may not be used (L8)', async () => {
    const owner = await postgres.open();
    const role = `none_${owner.schema}`;
    await owner.query(`create role ${role} login password 'not-a-secret'`);
    for (const database of [postgres.empty(), owner]) {
      await expect(opened(database, role)).rejects.toThrow(
        'run "callsign status --all" once as the owner of the database',
      );
    }
  });

  it('are not told the address of this machine by a database that does not let it in (L9)', async () => {
    const reason = 'no pg_hba.conf entry for host "10.1.2.3", user "x", database "y"';
    const refused = Object.assign(new Error(reason), { code: '28000' });
    const connect = vi.spyOn(pg.Pool.prototype, 'connect');
    connect.mockImplementation(() => Promise.reject(refused));
    onTestFinished(() => connect.mockRestore());
    const failed = postgres.empty().query('select 1');
    await expect(failed).rejects.toThrow('pg_hba.conf does not let this role in');
    await expect(failed).rejects.not.toThrow('10.1.2.3');
  });

  it('leave no password in a message', async () => {
    const database = postgres.empty();
    const url = new URL(postgres.server.url);
    url.password = 'a-secret-that-is-wrong';
    const settings = { postgres: url.href, schema: database.schema, connections: 1 };
    const failed = openStorage({ settings, clock: REAL_CLOCK, log: () => undefined });
    await expect(failed).rejects.toThrow(/(password|SASL) authentication failed/);
    await expect(failed).rejects.not.toThrow('a-secret-that-is-wrong');
  });
});
