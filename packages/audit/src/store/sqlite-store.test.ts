import { mkdirSync, statSync, writeFileSync } from 'node:fs';
import { dirname, join } from 'node:path';

import Database from 'libsql';
import { describe, expect, it, onTestFinished } from 'vitest';

import { auditFolder } from '../../../../test/testing/audit-folder.js';
import { callRecord, sliceOf, storeContract } from '../../../../test/contracts/audit-store.js';
import { SqliteStore } from './sqlite-store.js';
import { SqlTrouble } from './user-sql.js';

function fresh(file: string = join(auditFolder(), 'state', 'calls.db')) {
  const store = new SqliteStore(file);
  onTestFinished(() => store.close());
  return { file, store };
}

const add = (store: SqliteStore) =>
  store.add('j-a', sliceOf(callRecord(1), callRecord(2)), undefined, { part: 1, offset: 9 });

storeContract('SQLite', () => fresh().store);

describe('the tables in SQLite', () => {
  it('are for their owner alone', async () => {
    const { store, file } = fresh();
    await add(store);
    expect(statSync(file).mode & 0o777).toBe(0o600);
    expect(statSync(dirname(file)).mode & 0o777).toBe(0o700);
  });

  it('find a text that only old calls have, and the newest of many, in their order', async () => {
    const { store } = fresh();
    const isRare = (n: number): boolean => n === 3 || n === 7;
    const records = Array.from({ length: 20_200 }, (_, n) =>
      callRecord(n, { arguments: { word: isRare(n) ? 'needle' : 'hay' } }),
    );
    await store.add('j-a', sliceOf(...records), undefined, { part: 1, offset: 9 });
    const ids = async (text: string, limit: number): Promise<string[]> =>
      (await store.list({ text, limit })).map(({ id }) => id);
    expect(await ids('needle', 200)).toEqual(['writerab-3', 'writerab-7']);
    expect(await ids('needle', 1)).toEqual(['writerab-7']);
    expect(await ids('HAY', 2)).toEqual(['writerab-20198', 'writerab-20199']);
  });

  it('count the calls and errors of one server by day and by hour', async () => {
    const { store } = fresh();
    const records = Array.from({ length: 50 }, (_, n) => {
      const server = n % 2 === 0 ? 'fs' : 'other';
      const time = new Date(Date.UTC(2026, 10, 14) + n * 3_600_000).toISOString();
      return callRecord(n, { time, server, outcome: n % 5 === 0 ? 'tool-error' : 'ok' });
    });
    await store.add('j-a', sliceOf(...records), undefined, { part: 1, offset: 9 });
    const { total, days } = await store.stats({ server: 'fs' });
    expect([total.calls, total.errors]).toEqual([25, 5]);
    expect(days.map(({ name, calls, errors }) => [name, calls, errors])).toEqual([
      ['2026-11-14', 12, 3],
      ['2026-11-15', 12, 2],
      ['2026-11-16', 1, 0],
    ]);
    const since = new Date('2026-11-15T21:30:00Z');
    expect(await store.timeline({ server: 'fs', since }, 'hour')).toEqual([
      { name: '2026-11-15T22', calls: 1, errors: 0 },
      { name: '2026-11-16T00', calls: 1, errors: 0 },
    ]);
  });

  it('answer SQL that reads, and no other', async () => {
    const { store } = fresh();
    await add(store);
    const sql = "SELECT tool, count(*) AS calls FROM calls WHERE day = '2026-11-15' GROUP BY tool";
    expect(await store.query(sql, 10)).toEqual({
      columns: ['tool', 'calls'],
      rows: [['fs:read_file', 2]],
      isCut: false,
    });
    expect(await store.query('SELECT id FROM calls', 1)).toMatchObject({ isCut: true });
    for (const sentence of [
      'DELETE FROM call_records',
      'DELETE FROM call_records RETURNING id',
      'DROP VIEW calls',
      'PRAGMA user_version = 9',
      "ATTACH DATABASE '/tmp/other.db' AS other",
      'SELECT nonsense FROM calls',
      'SELECT 1; DELETE FROM call_records',
    ]) {
      await expect(store.query(sentence, 10), sentence).rejects.toThrow(SqlTrouble);
    }
    await expect(store.query('SELECT nonsense FROM calls', 10)).rejects.toThrow('nonsense');
    expect(await store.query('SELECT count(*) FROM calls', 1)).toMatchObject({ rows: [[2]] });
    const version = 'SELECT user_version FROM pragma_user_version';
    expect(await store.query(version, 1)).toMatchObject({ rows: [[5]] });
  });

  it('are created again if their file is corrupt', async () => {
    const { store, file } = fresh();
    mkdirSync(dirname(file), { recursive: true });
    writeFileSync(file, 'not a database '.repeat(1000));
    await add(store);
    expect(await store.list({ limit: 10 })).toHaveLength(2);
  });

  it('of a newer version are not touched', async () => {
    const { store, file } = fresh();
    await add(store);
    await store.close();
    const db = new Database(file);
    db.exec('PRAGMA user_version = 99');
    db.close();
    await expect(fresh(file).store.list({ limit: 1 })).rejects.toThrow(
      'created by a newer Callsign',
    );
  });

  it('accept two writers at once, and add each record once', async () => {
    const { store, file } = fresh();
    const { store: other } = fresh(file);
    await Promise.all([add(store), add(other)]);
    expect(await store.list({ limit: 10 })).toHaveLength(2);
  });
});
