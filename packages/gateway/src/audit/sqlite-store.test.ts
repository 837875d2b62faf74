import {
  mkdirSync,
  readdirSync,
  readFileSync,
  renameSync,
  rmSync,
  statSync,
  writeFileSync,
} from 'node:fs';
import { dirname, join } from 'node:path';

import Database from 'libsql';
import { describe, expect, it, onTestFinished } from 'vitest';

import { anchorFile, readAnchor } from './anchor.js';
import type { AuditRecord } from './audit-record.js';
import { SqliteStore } from './sqlite-store.js';
import { auditFile } from './testing/audit-folder.js';
import { MemoryStore } from './testing/memory-store.js';
import { idsIn, lines, readAll, storeContract } from './testing/store-contract.js';
import { verifyChain } from './verify-chain.js';

storeContract('memory', () => new MemoryStore());
storeContract('a file of SQLite', () => open().store);

function open(file = auditFile()): { store: SqliteStore; file: string; said: string[] } {
  const said: string[] = [];
  const store = new SqliteStore(file, (sentence) => said.push(sentence));
  onTestFinished(() => store.close());
  return { store, file, said };
}

/** Changes a file behind the back of the store. */
function tamper(file: string, ...statements: string[]): void {
  const db = new Database(file, { timeout: 1_000 });
  for (const statement of statements) db.exec(statement);
  db.close();
}

function flawsOf(store: SqliteStore): Promise<string[]> {
  return verifyChain(store).then(({ flaws }) => flaws.map(({ flaw, seq }) => `${flaw} ${seq}`));
}

describe('a file of SQLite', () => {
  it.skipIf(process.platform === 'win32')(
    'is for its owner alone, with all that belongs to it',
    async () => {
      const { store, file } = open();
      await store.append('a', lines(0, 0));
      const modes = readdirSync(dirname(file)).map((name) => {
        return `${name} ${(statSync(join(dirname(file), name)).mode & 0o777).toString(8)}`;
      });
      expect(modes.toSorted()).toEqual([
        'audit.db 600',
        'audit.db-shm 600',
        'audit.db-wal 600',
        'audit.db.anchor 600',
      ]);
      expect(statSync(dirname(file)).mode & 0o777).toBe(0o700);
    },
  );

  it('is shared by several stores, whose records make one chain', async () => {
    const { store, file } = open();
    const { store: other } = open(file);
    for (let n = 0; n < 20; n++) {
      await Promise.all([store.append('a', lines(n, n)), other.append('b', lines(n, n))]);
    }
    expect(await readAll(store)).toHaveLength(40);
    expect(await verifyChain(other)).toMatchObject({ ok: true, records: 40 });
  });

  it.each([
    [
      'an edit',
      "UPDATE records SET body = replace(body, 'id-5', 'id-6') WHERE seq = 6",
      ['edited 6'],
    ],
    ['an edit of a hash', "UPDATE records SET hash = 'x' WHERE seq = 6", ['edited 6', 'moved 7']],
    ['a deletion', 'DELETE FROM records WHERE seq = 6', ['missing 7']],
    ['a deletion at the beginning', 'DELETE FROM records WHERE seq < 4', ['missing 4']],
    ['a cut end', 'DELETE FROM records WHERE seq > 8', ['truncated 8']],
    ['a cut of everything', 'DELETE FROM records', ['truncated 0']],
    [
      'another order',
      'UPDATE records SET seq = -5 WHERE seq = 5; UPDATE records SET seq = 5 WHERE seq = 6; UPDATE records SET seq = 6 WHERE seq = -5',
      ['moved 5', 'moved 6', 'moved 7'],
    ],
    [
      'a record that was put in between',
      "UPDATE records SET seq = -seq WHERE seq > 5; UPDATE records SET seq = 1 - seq WHERE seq < 0; INSERT INTO records VALUES (6, 'x', 'y', '{}')",
      ['moved 6', 'edited 6', 'moved 7', 'edited 10'],
    ],
  ])('shows %s', async (_, statement, flaws) => {
    const { store, file } = open();
    await store.append('a', lines(0, 9));
    expect(await flawsOf(store)).toEqual([]);
    tamper(file, ...statement.split('; '));
    expect(await flawsOf(store)).toEqual(flaws);
  });

  it('shows a beginning that was deleted under the cover of an older pruning', async () => {
    const { store, file } = open();
    await store.append('a', [...lines(0, 4, '2020-01-01T00:00:00.000Z'), ...lines(5, 12)]);
    await store.prune({ before: '2021-01-01T00:00:00.000Z', maxBytes: 2 ** 40 });
    tamper(file, 'DELETE FROM records WHERE seq < 8');
    expect(await flawsOf(store)).toEqual(['missing 8']);
  });

  it('says in the chain that its end was cut off, once, before it goes on', async () => {
    const { store, file } = open();
    await store.append('a', lines(0, 9));
    tamper(file, 'DELETE FROM records WHERE seq > 8');
    await store.append('a', lines(10, 10));
    await store.append('a', lines(11, 11));
    const links = await readAll(store);
    expect(links.map(({ seq }) => seq)).toEqual([1, 2, 3, 4, 5, 6, 7, 8, 9, 10, 11]);
    expect(JSON.parse(links[8]!.body)).toMatchObject({
      kind: 'alarm',
      severity: 'error',
      reason: 'records after 8 are gone, up to 10',
      anchor: { seq: 10 },
    });
    expect(await flawsOf(store)).toEqual(['alarm 9']);
  });

  it('says in the chain that its anchor was taken away, or that history was written anew', async () => {
    const { store, file } = open();
    await store.append('a', lines(0, 2));
    rmSync(anchorFile(file));
    expect(await flawsOf(store)).toEqual(['unanchored 3']);
    await store.append('a', lines(3, 3));
    expect(await flawsOf(store)).toEqual(['alarm 4']);
    const { seq } = readAnchor(file)!;
    writeFileSync(anchorFile(file), JSON.stringify({ seq, hash: 'f'.repeat(64) }));
    expect(await flawsOf(store)).toEqual(['alarm 4', `edited ${seq}`]);
    await store.append('a', lines(4, 4));
    expect(await flawsOf(store)).toEqual(['alarm 4', 'alarm 6']);
  });

  it('begins again, and says so, if the file is deleted under its hands', async () => {
    const { store, file } = open();
    await store.append('a', lines(0, 2));
    for (const suffix of ['', '-wal', '-shm']) rmSync(file + suffix, { force: true });
    await store.append('a', lines(3, 3));
    expect(await idsIn(store)).toEqual([expect.any(String), 'id-3']);
    expect(await flawsOf(store)).toEqual(['alarm 1']);
  });

  it.each([
    ['no database at all', () => Buffer.from('no database '.repeat(1_000))],
    ['a database with a hole', tearHole],
  ])('is set aside if it is %s, and a new chain says so', async (_, spoiled) => {
    const { store, file, said } = open();
    await store.append('a', lines(0, 200));
    await store.close();
    tamper(file, 'PRAGMA wal_checkpoint(TRUNCATE)');
    for (const suffix of ['-wal', '-shm']) rmSync(file + suffix, { force: true });
    writeFileSync(file, spoiled(readFileSync(file)));
    await store.append('a', lines(201, 202));
    const names = readdirSync(dirname(file));
    const aside = names.find((name) => /^audit\.db\.corrupt-\d{4}-\d\d-\d\dT[\d.-]+Z$/.test(name))!;
    expect(readFileSync(join(dirname(file), aside)).length).toBeGreaterThan(1_000);
    expect(names).toContain(`${aside}.anchor`);
    const records = (await readAll(store)).map(({ body }) => JSON.parse(body) as AuditRecord);
    expect(records.map(({ kind }) => kind)).toEqual(['alarm', 'call', 'call']);
    expect(records[0]).toMatchObject({
      reason: `the file was corrupt and is now ${aside}; a new chain begins here`,
      anchor: { seq: 201 },
    });
    expect(said).toEqual([expect.stringContaining('The audit log was corrupt.')]);
    expect(await flawsOf(store)).toEqual(['alarm 1']);
  });

  it('tells of a file that it cannot make, and makes it as soon as it can', async () => {
    const file = auditFile();
    writeFileSync(dirname(file), 'a file where the folder should be');
    const { store } = open(file);
    await expect(store.append('a', lines(0, 0))).rejects.toThrow('its folder cannot be made');
    rmSync(dirname(file));
    mkdirSync(file, { recursive: true });
    await expect(store.append('a', lines(0, 0))).rejects.toThrow('its file cannot be used');
    renameSync(file, `${file}.folder`);
    await store.append('a', lines(0, 0));
    expect(await idsIn(store)).toEqual(['id-0']);
  });

  it('waits for another writer, and tells of one that does not end', async () => {
    const { store, file } = open();
    await store.append('a', lines(0, 0));
    const other = new Database(file, { timeout: 0 });
    onTestFinished(() => void other.close());
    other.exec('BEGIN IMMEDIATE');
    await expect(store.append('a', lines(1, 1))).rejects.toThrow('locked by another program');
    other.exec('ROLLBACK');
    await store.append('a', lines(1, 1));
    expect(await verifyChain(store)).toMatchObject({ ok: true, records: 2 });
  });

  it('leaves a file alone that a newer version has written', async () => {
    const { store, file } = open();
    await store.append('a', lines(0, 0));
    await store.close();
    tamper(file, 'UPDATE schema_version SET version = 99');
    await expect(store.append('a', lines(1, 1))).rejects.toThrow('written by a newer Callsign');
    expect(readdirSync(dirname(file)).filter((name) => name.includes('corrupt'))).toEqual([]);
  });

  it('gives back the space of what it deleted', async () => {
    const { store, file } = open();
    const body = JSON.stringify({ id: 'x'.repeat(3_000), time: '2020-01-01T00:00:00.000Z' });
    await store.append(
      'a',
      Array.from({ length: 2_000 }, (_, n) => ({ n, body })),
    );
    await store.close();
    const before = statSync(file).size;
    await store.prune({ before: '2021-01-01T00:00:00.000Z', maxBytes: 2 ** 40 });
    await store.close();
    expect(before).toBeGreaterThan(6_000_000);
    expect(statSync(file).size).toBeLessThan(before / 10);
  });
});

/** With the pages behind the first overwritten, as a failing disk would. */
function tearHole(bytes: Buffer): Buffer {
  return bytes.fill(0xaa, 4_096);
}
