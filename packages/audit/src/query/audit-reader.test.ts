import { existsSync, writeFileSync } from 'node:fs';

import { describe, expect, it, onTestFinished } from 'vitest';

import { CSV_COLUMNS } from './audit-export.js';
import { openAuditReader } from './audit-reader.js';
import type { PlacedRecord } from '../store/placed-record.js';
import { blockOf, hashOf } from '../store/chain.js';
import { SqliteStore } from '../store/sqlite-store.js';
import { auditFile, auditFolder } from '../../../../test/testing/audit-folder.js';

const CALLER = { client: 'cursor', version: '1', session: 's', era: 'session' };
const RECORDS: readonly object[] = [
  call('a', '2026-01-01T00:00:00.000Z', { tool: 'fs:read_file', outcome: 'ok' }),
  {
    ...call('b', '2026-01-02T00:00:00.000Z', { severity: 'warning', tool: 'fs:delete_file' }),
    kind: 'intent',
  },
  call('c', '2026-01-02T00:00:01.000Z', {
    severity: 'warning',
    tool: 'fs:delete_file',
    outcome: 'tool-error',
    intent: 'b',
    caller: { ...CALLER, principal: 'alice' },
  }),
  {
    ...call('d', '2026-01-03T00:00:00.000Z', { severity: 'notice', tool: 'git:push' }),
    kind: 'intent',
  },
  {
    kind: 'gap',
    id: 'e',
    time: '2026-01-04T00:00:00.000Z',
    severity: 'error',
    lost: 3,
    reason: 'the disk is full',
  },
];

function call(id: string, time: string, more: object): object {
  return { kind: 'call', id, time, severity: 'info', caller: CALLER, ...more };
}

async function written(records: readonly object[] = RECORDS) {
  const file = auditFile();
  const store = new SqliteStore(file, () => undefined);
  onTestFinished(() => store.close());
  const lines = records.map((record) => JSON.stringify(record));
  // In two segments, since readers go over their borders.
  const [some, others] = [lines.slice(0, 2), lines.slice(2)];
  await store.append('w', [
    { n: 0, ...blockOf(some) },
    ...(others.length ? [{ n: 1, ...blockOf(others) }] : []),
  ]);
  return { reader: openAuditReader(file), store, file };
}

const idsOf = (placed: readonly PlacedRecord[]): string[] => placed.map(({ record }) => record.id);

async function collect<T>(items: AsyncIterable<T>): Promise<T[]> {
  const all: T[] = [];
  for await (const item of items) all.push(item);
  return all;
}

describe('the list of records', () => {
  it('has each call once, and an intent only if its call never ended', async () => {
    const { reader } = await written();
    expect(idsOf(await reader.list())).toEqual(['a', 'c', 'd', 'e']);
  });

  it.each([
    [{ since: new Date('2026-01-02T00:00:01Z') }, ['c', 'd', 'e']],
    [{ tool: 'fs:*' }, ['a', 'c']],
    [{ severity: 'warning' as const }, ['c', 'e']],
    [{ outcome: 'tool-error' }, ['c']],
    [{ caller: 'alice' }, ['c']],
    [{ caller: 'cursor' }, ['a', 'c', 'd']],
    [{ limit: 2 }, ['d', 'e']],
    [{ limit: 1, tool: '*:read_*' }, ['a']],
    [{ tool: 'nothing:*' }, []],
  ])('is what %o asks for', async (options, ids) => {
    const { reader } = await written();
    expect(idsOf(await reader.list(options))).toEqual(ids);
  });
});

describe('one record', () => {
  it('is shown with the other half of its call', async () => {
    const { reader } = await written();
    expect(idsOf(await reader.show(1))).toEqual(['a']);
    expect(idsOf(await reader.show(2))).toEqual(['b', 'c']);
    expect(idsOf(await reader.show(3))).toEqual(['b', 'c']);
    expect(idsOf(await reader.show(4))).toEqual(['d']);
    expect(idsOf(await reader.show(5))).toEqual(['e']);
    expect(await reader.show(6)).toEqual([]);
  });
});

describe('the tail', () => {
  it('gives records as they come in, that match, until it is told to stop', async () => {
    const { reader, store } = await written();
    const stop = new AbortController();
    const seen: string[] = [];
    const tail = (async () => {
      for await (const { record } of reader.tail({ signal: stop.signal, tool: 'fs:*', after: 3 })) {
        seen.push(record.id);
        if (record.id === 'g') stop.abort();
      }
    })();
    const [f, g] = [call('f', 'x', { tool: 'git:x' }), call('g', 'x', { tool: 'fs:x' })];
    await store.append('w', [{ n: 5, ...blockOf([JSON.stringify(f), JSON.stringify(g)]) }]);
    await tail;
    expect(seen).toEqual(['g']);
  });

  it('begins at the end', async () => {
    const { reader } = await written();
    const stop = new AbortController();
    // Shows that nothing comes.
    setTimeout(() => stop.abort(), 50);
    expect(await collect(reader.tail({ signal: stop.signal }))).toEqual([]);
  });
});

describe('the export', () => {
  it('as lines of JSON holds all that it takes to check the chain elsewhere', async () => {
    const { reader } = await written();
    const lines = await collect(reader.export('jsonl'));
    expect(lines).toHaveLength(5);
    const links = lines.map((line) => JSON.parse(line) as PlacedRecord);
    expect(links.map(({ record }) => record)).toEqual(RECORDS);
    let prev = '0'.repeat(64);
    const hashes = [...new Set(links.map(({ hash }) => hash))];
    expect(hashes).toHaveLength(2);
    for (const hash of hashes) {
      const segment = links.filter((link) => link.hash === hash);
      expect(new Set(segment.map((link) => link.prev))).toEqual(new Set([prev]));
      expect(hashOf(prev, segment.map(({ body }) => body).join('\n'))).toBe(hash);
      prev = hash;
    }
  });

  it('as a table has the same columns in every row, and no formulas', async () => {
    const rule = '=HYPERLINK("http://evil.example", "a,b")';
    const { reader } = await written([call('a', '2026-01-01', { tool: 'fs:x\ny', rule, ms: -1 })]);
    const [head, ...rows] = await collect(reader.export('csv'));
    expect(head).toBe(CSV_COLUMNS.join(','));
    expect(rows).toHaveLength(1);
    expect(rows[0]).toContain('"\'=HYPERLINK(""http://evil.example"", ""a,b"")"');
    expect(rows[0]).toContain('"fs:x\ny"');
    expect(rows[0]).toContain(',cursor,s,');
    expect(rows[0]).toContain(',-1,');
  });
});

describe('a reader', () => {
  it('verifies with word of its progress', async () => {
    const many = Array.from({ length: 2_500 }, (_, i) => call(`${i}`, '2026-01-01', {}));
    const { reader } = await written(many);
    const progress: number[] = [];
    expect(await reader.verify((records) => progress.push(records))).toMatchObject({
      ok: true,
      records: 2_500,
      head: { seq: 2_500 },
    });
    expect(progress.at(-1)).toBe(2_500);
    expect(progress.length).toBeGreaterThan(1);
    expect(progress).toEqual(progress.toSorted((a, b) => a - b));
  });

  it('skips what somebody made unreadable, and finds it when it verifies', async () => {
    const { reader, store } = await written();
    const lines = ['no JSON', 'null', '[7,1,2]', '[{},"x"]', '[null]', '[]', '[{}]', '17'];
    const last = JSON.stringify(call('z', 'x', {}));
    await store.append('w', [{ n: 5, ...blockOf([...lines, last]) }]);
    expect(idsOf(await reader.list())).toEqual(['a', 'c', 'd', 'e', 'z']);
    expect((await reader.show(14)).map(({ seq }) => seq)).toEqual([14]);
  });

  it('says that there is no log, and does not make one', () => {
    const file = `${auditFolder()}/audit.db`;
    expect(() => openAuditReader(file)).toThrow(`there is no audit log at ${file}`);
    expect(existsSync(file)).toBe(false);
    writeFileSync(file, '');
    expect(() => openAuditReader(file)).toThrow(`${file} is no audit log`);
  });

  it('tells of a corrupt file in words, and leaves it where it is', () => {
    const file = `${auditFolder()}/audit.db`;
    writeFileSync(file, 'not a database '.repeat(1_000));
    expect(() => openAuditReader(file)).toThrow('its file is corrupt');
    expect(existsSync(file)).toBe(true);
  });
});
