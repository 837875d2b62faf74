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
import { blockOf } from './chain.js';
import { SqliteStore } from './sqlite-store.js';
import { auditFile } from '../../../../test/testing/audit-folder.js';
import { MemoryStore } from '../testing/memory-store.js';
import { draft, drafts, idsIn, recordsOf, storeContract } from '../testing/store-contract.js';
import { verifyChain } from '../query/verify-chain.js';

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
      await store.append('a', drafts(0, 0));
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
      await Promise.all([store.append('a', drafts(n, n)), other.append('b', drafts(n, n))]);
    }
    expect(await idsIn(store)).toHaveLength(40);
    expect(await verifyChain(other)).toMatchObject({ ok: true, records: 40 });
  });

  it.each([
    [
      'an edit',
      "UPDATE segments SET body = replace(body, 'id-5', 'id-6') WHERE seq = 6",
      ['edited 5'],
    ],
    ['an edit of a hash', "UPDATE segments SET hash = 'x' WHERE seq = 6", ['edited 5', 'moved 7']],
    ['a deletion', 'DELETE FROM segments WHERE seq = 6', ['missing 7']],
    [
      'the deletion of one record',
      'UPDATE segments SET body = substr(body, 1, instr(body, char(10)) - 1) WHERE seq = 6',
      ['missing 6', 'edited 6'],
    ],
    [
      'one record that was deleted with its number',
      'UPDATE segments SET body = substr(body, 1, instr(body, char(10)) - 1), seq = 5 WHERE seq = 6',
      ['edited 5', 'missing 7'],
    ],
    [
      'one record that was put in',
      'UPDATE segments SET body = body || char(10) || body WHERE seq = 6',
      ['moved 3', 'edited 3'],
    ],
    ['a deletion at the beginning', 'DELETE FROM segments WHERE seq < 4', ['missing 3']],
    ['a cut end', 'DELETE FROM segments WHERE seq > 8', ['truncated 8']],
    ['a cut of everything', 'DELETE FROM segments', ['truncated 0']],
    [
      'another order',
      'UPDATE segments SET seq = -4 WHERE seq = 4; UPDATE segments SET seq = 4 WHERE seq = 6; UPDATE segments SET seq = 6 WHERE seq = -4',
      ['moved 3', 'moved 5', 'moved 7'],
    ],
    [
      'another order within a segment',
      "UPDATE segments SET body = replace(replace(replace(body, 'id-4', 'id-x'), 'id-5', 'id-4'), 'id-x', 'id-5') WHERE seq = 6",
      ['edited 5'],
    ],
    [
      'a segment that was put in between',
      "UPDATE segments SET seq = -seq WHERE seq > 4; UPDATE segments SET seq = 1 - seq WHERE seq < 0; INSERT INTO segments VALUES (5, 'x', 'y', '{}')",
      ['moved 5', 'edited 5', 'moved 6', 'edited 10'],
    ],
    [
      'two segments that were made one',
      'UPDATE segments SET body = (SELECT group_concat(body, char(10)) FROM segments WHERE seq IN (4, 6)) WHERE seq = 6; DELETE FROM segments WHERE seq = 4',
      ['moved 3', 'edited 3'],
    ],
  ])('shows %s', async (_, statement, flaws) => {
    const { store, file } = open();
    const pairs = [0, 2, 4, 6, 8].map((n) => draft(n, n + 1));
    await store.append('a', pairs);
    expect(await flawsOf(store)).toEqual([]);
    tamper(file, ...statement.split('; '));
    expect(await flawsOf(store)).toEqual(flaws);
  });

  it('shows a beginning that was deleted under the cover of an older pruning', async () => {
    const { store, file } = open();
    await store.append('a', [draft(0, 4, '2020-01-01T00:00:00.000Z'), ...drafts(5, 12)]);
    await store.prune({ before: '2021-01-01T00:00:00.000Z', maxBytes: 2 ** 40 });
    tamper(file, 'DELETE FROM segments WHERE seq < 8');
    expect(await flawsOf(store)).toEqual(['missing 8']);
  });

  it('says in the chain that its end was cut off, once, before it goes on', async () => {
    const { store, file } = open();
    await store.append('a', [draft(0, 7), draft(8, 9)]);
    tamper(file, 'DELETE FROM segments WHERE seq > 8');
    await store.append('a', drafts(10, 10));
    await store.append('a', drafts(11, 11));
    const records = await recordsOf(store);
    expect(records.map(({ seq }) => seq)).toEqual([1, 2, 3, 4, 5, 6, 7, 8, 9, 10, 11]);
    expect(records[8]!.record).toMatchObject({
      kind: 'alarm',
      severity: 'error',
      reason: 'records after 8 are gone, up to 10',
      anchor: { seq: 10 },
    });
    expect(await flawsOf(store)).toEqual(['alarm 9']);
  });

  it('says in the chain that the anchor knows an end that is none', async () => {
    const { store, file } = open();
    await store.append('a', [draft(0, 3), draft(4, 9)]);
    writeFileSync(anchorFile(file), JSON.stringify({ seq: 7, hash: 'f'.repeat(64) }));
    expect(await flawsOf(store)).toEqual(['edited 7']);
    await store.append('a', drafts(10, 10));
    expect(await flawsOf(store)).toEqual(['alarm 11']);
  });

  it('takes an anchor for good whose segment was pruned since', async () => {
    const { store, file } = open();
    await store.append('a', [draft(0, 3, '2020-01-01T00:00:00.000Z')]);
    const early = readFileSync(anchorFile(file));
    await store.append('a', [draft(4, 9, '2020-01-01T00:00:00.000Z'), draft(10, 11)]);
    await store.prune({ before: '2021-01-01T00:00:00.000Z', maxBytes: 2 ** 40 });
    writeFileSync(anchorFile(file), early);
    await store.append('a', drafts(12, 12));
    expect(await flawsOf(store)).toEqual([]);
  });

  it('says in the chain that its anchor was taken away, or that history was written anew', async () => {
    const { store, file } = open();
    await store.append('a', drafts(0, 2));
    rmSync(anchorFile(file));
    expect(await flawsOf(store)).toEqual(['unanchored 3']);
    await store.append('a', drafts(3, 3));
    expect(await flawsOf(store)).toEqual(['alarm 4']);
    const { seq } = readAnchor(file)!;
    writeFileSync(anchorFile(file), JSON.stringify({ seq, hash: 'f'.repeat(64) }));
    expect(await flawsOf(store)).toEqual(['alarm 4', `edited ${seq}`]);
    await store.append('a', drafts(4, 4));
    expect(await flawsOf(store)).toEqual(['alarm 4', 'alarm 6']);
  });

  it('begins again, and says so, if the file is deleted under its hands', async () => {
    const { store, file } = open();
    await store.append('a', drafts(0, 2));
    for (const suffix of ['', '-wal', '-shm']) rmSync(file + suffix, { force: true });
    await store.append('a', drafts(3, 3));
    expect(await idsIn(store)).toEqual([expect.any(String), 'id-3']);
    expect(await flawsOf(store)).toEqual(['alarm 1']);
  });

  it.each([
    ['no database at all', () => Buffer.from('no database '.repeat(1_000))],
    ['a database with a hole', tearHole],
  ])('is set aside if it is %s, and a new chain says so', async (_, spoiled) => {
    const { store, file, said } = open();
    await store.append('a', drafts(0, 200));
    await store.close();
    tamper(file, 'PRAGMA wal_checkpoint(TRUNCATE)');
    for (const suffix of ['-wal', '-shm']) rmSync(file + suffix, { force: true });
    writeFileSync(file, spoiled(readFileSync(file)));
    await store.append('a', drafts(201, 202));
    const names = readdirSync(dirname(file));
    const aside = names.find((name) => /^audit\.db\.corrupt-\d{4}-\d\d-\d\dT[\d.-]+Z$/.test(name))!;
    expect(readFileSync(join(dirname(file), aside)).length).toBeGreaterThan(1_000);
    expect(names).toContain(`${aside}.anchor`);
    const records = (await recordsOf(store)).map(({ record }) => record);
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
    await expect(store.append('a', drafts(0, 0))).rejects.toThrow('its folder cannot be made');
    rmSync(dirname(file));
    mkdirSync(file, { recursive: true });
    await expect(store.append('a', drafts(0, 0))).rejects.toThrow('its file cannot be used');
    renameSync(file, `${file}.folder`);
    await store.append('a', drafts(0, 0));
    expect(await idsIn(store)).toEqual(['id-0']);
  });

  it('waits for another writer, and tells of one that does not end', async () => {
    const { store, file } = open();
    await store.append('a', drafts(0, 0));
    const other = new Database(file, { timeout: 0 });
    onTestFinished(() => void other.close());
    other.exec('BEGIN IMMEDIATE');
    await expect(store.append('a', drafts(1, 1))).rejects.toThrow('locked by another program');
    other.exec('ROLLBACK');
    await store.append('a', drafts(1, 1));
    expect(await verifyChain(store)).toMatchObject({ ok: true, records: 2 });
  });

  it('leaves a file alone that a newer version has written', async () => {
    const { store, file } = open();
    await store.append('a', drafts(0, 0));
    await store.close();
    tamper(file, 'UPDATE schema_version SET version = 99');
    await expect(store.append('a', drafts(1, 1))).rejects.toThrow('written by a newer Callsign');
    expect(readdirSync(dirname(file)).filter((name) => name.includes('corrupt'))).toEqual([]);
  });

  it('leaves a file alone that an older version has written', async () => {
    const { store, file } = open();
    await store.append('a', drafts(0, 0));
    await store.close();
    tamper(file, 'UPDATE schema_version SET version = 1');
    await expect(store.append('a', drafts(1, 1))).rejects.toThrow('written by an older Callsign');
  });

  it('gives back the space of what it deleted', async () => {
    const { store, file } = open();
    const line = JSON.stringify({ id: 'x'.repeat(3_000), time: '2020-01-01T00:00:00.000Z' });
    const lines = Array<string>(20).fill(line);
    await store.append(
      'a',
      Array.from({ length: 100 }, (_, n) => ({ n, ...blockOf(lines) })),
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
