import { expect, it } from 'vitest';

import { describePostgres } from '../../../../../test/testing/postgres.js';
import type { Migration } from '../schema/migrations.js';
import { MIGRATIONS } from '../schema/migrations.js';
import type { Database } from './database.js';
import { migrate } from './migrate.js';

const KNOWN = MIGRATIONS.length;
const NEXT: Migration = {
  version: KNOWN + 1,
  oldest: KNOWN,
  sql: (name) => `alter table ${name('instances')} add column zone text`,
};

async function versions(database: Database): Promise<number[]> {
  const rows = await database.query<{ version: number }>(
    `select version from ${database.name('migrations')} order by version`,
  );
  return rows.map(({ version }) => version);
}

describePostgres('the schema', (postgres) => {
  it('is created once, even if many instances start at once', async () => {
    const database = postgres.empty();
    const all = [database, ...Array.from({ length: 5 }, () => postgres.again(database))];
    const steps = await Promise.all(all.map((each) => migrate(each)));
    expect(steps.toSorted()).toEqual([0, 0, 0, 0, 0, KNOWN]);
    expect(await versions(database)).toEqual(MIGRATIONS.map(({ version }) => version));
  });

  it('is numbered without gaps, and each step works with the code of the version before', () => {
    expect(MIGRATIONS.map(({ version }) => version)).toEqual(MIGRATIONS.map((_, n) => n + 1));
    for (const { version, oldest } of MIGRATIONS.slice(1))
      expect(oldest).toBeLessThanOrEqual(version - 1);
  });

  it('accepts new steps, and an instance of the version before still starts', async () => {
    const database = await postgres.open();
    expect(await migrate(database, [...MIGRATIONS, NEXT])).toBe(1);
    expect(await migrate(database)).toBe(0);
  });

  it('refuses an instance that is too old', async () => {
    const database = await postgres.open();
    await migrate(database, [...MIGRATIONS, { ...NEXT, oldest: KNOWN + 1 }]);
    await expect(migrate(database)).rejects.toThrow(
      `the database has schema ${KNOWN + 1}, and this version of Callsign knows only ${KNOWN}`,
    );
  });

  it('applies a step completely or not at all', async () => {
    const database = await postgres.open();
    const broken: Migration = {
      ...NEXT,
      sql: (name) => `create table ${name('half')} (id text); select 1 / 0;`,
    };
    await expect(migrate(database, [...MIGRATIONS, broken])).rejects.toThrow('division by zero');
    expect(await versions(database)).toHaveLength(KNOWN);
    const [half] = await database.query<{ there: boolean }>(
      'select to_regclass($1) is not null as there',
      [database.name('half')],
    );
    expect(half).toEqual({ there: false });
  });

  it('is as before if the process is killed in the middle of a step', async () => {
    const database = postgres.empty();
    const killed: Migration = {
      version: KNOWN + 1,
      oldest: KNOWN,
      sql: (name) => `alter table ${name('instances')} add column zone text;
        select pg_terminate_backend(pg_backend_pid());`,
    };
    await expect(migrate(database, [...MIGRATIONS, killed])).rejects.toThrow(
      'the database cannot be reached',
    );
    const [found] = await database.query<{ there: boolean }>(
      'select to_regnamespace($1) is not null as there',
      [database.schema],
    );
    expect(found).toEqual({ there: false });
    expect(await migrate(database)).toBe(KNOWN);
    await expect(migrate(database, [...MIGRATIONS, killed])).rejects.toThrow();
    expect(await versions(database)).toHaveLength(KNOWN);
    expect(await migrate(database, [...MIGRATIONS, NEXT])).toBe(1);
  });
});
