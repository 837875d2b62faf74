/** What every store of records must do. */

import { describe, expect, it } from 'vitest';

import type { AuditStore, Draft, ReadOptions } from '../store/audit-store.js';
import { blockOf, hashOf, type Segment } from '../store/chain.js';
import { type PlacedRecord, recordsIn } from '../store/placed-record.js';
import { verifyChain } from '../query/verify-chain.js';

const LONG_AGO = '2020-01-01T00:00:00.000Z';
const PLENTY = 2 ** 40;

/** One draft with a line for each number. */
export function draft(from: number, to: number, time: string = new Date().toISOString()): Draft {
  const lines = Array.from({ length: to - from + 1 }, (_, i) => {
    return JSON.stringify({ kind: 'call', id: `id-${from + i}`, time, severity: 'info' });
  });
  return { n: to, ...blockOf(lines) };
}

/** A draft for each number. */
export function drafts(from: number, to: number, time?: string): Draft[] {
  return Array.from({ length: to - from + 1 }, (_, i) => draft(from + i, from + i, time));
}

async function readAll(store: AuditStore, options?: ReadOptions): Promise<Segment[]> {
  const segments: Segment[] = [];
  for await (const segment of store.read(options)) segments.push(segment);
  return segments;
}

export async function recordsOf(store: AuditStore, options?: ReadOptions): Promise<PlacedRecord[]> {
  return (await readAll(store, options)).flatMap((segment) => [...recordsIn(segment)]);
}

export async function idsIn(store: AuditStore, options?: ReadOptions): Promise<string[]> {
  return (await recordsOf(store, options)).map(({ record }) => record.id);
}

/** `open` makes a store for one test, empty, and closes it after. */
export function storeContract(name: string, open: () => AuditStore): void {
  describe(`${name} as a store of records`, () => {
    it('keeps segments in the order of their coming, each chained to the one before', async () => {
      const store = open();
      await store.append('a', [draft(0, 1), draft(2, 4)]);
      await store.append('a', [draft(5, 5)]);
      const segments = await readAll(store);
      expect(segments.map(({ seq }) => seq)).toEqual([2, 5, 6]);
      expect(segments[0]!.prev).toBe('0'.repeat(64));
      expect(segments[2]!.prev).toBe(segments[1]!.hash);
      expect(segments[1]!.hash).toBe(hashOf(segments[0]!.hash, segments[1]!.body));
      const records = await recordsOf(store);
      expect(records.map(({ seq, record }) => `${seq} ${record.id}`)).toEqual(
        [1, 2, 3, 4, 5, 6].map((seq) => `${seq} id-${seq - 1}`),
      );
    });

    it('keeps a draft once that is given twice, and tells writers apart', async () => {
      const store = open();
      await store.append('a', [draft(0, 1), draft(2, 3)]);
      await store.append('a', [draft(2, 3), draft(4, 5)]);
      await store.append('b', [draft(0, 0)]);
      expect(await idsIn(store)).toEqual(['id-0', 'id-1', 'id-2', 'id-3', 'id-4', 'id-5', 'id-0']);
    });

    it('takes nothing at all in its stride', async () => {
      const store = open();
      await store.append('a', []);
      expect(await readAll(store)).toEqual([]);
      expect(await verifyChain(store)).toMatchObject({ ok: true, records: 0 });
    });

    it('reads from a place on, and backwards, more than fits a page', async () => {
      const store = open();
      await store.append('a', [...drafts(1, 99), draft(100, 102)]);
      expect(await idsIn(store, { after: 98 })).toEqual(['id-99', 'id-100', 'id-101', 'id-102']);
      expect(await idsIn(store, { after: 100 })).toEqual(['id-100', 'id-101', 'id-102']);
      const backwards = await readAll(store, { newestFirst: true });
      expect(backwards.map(({ seq }) => seq)).toEqual([
        102,
        ...Array.from({ length: 99 }, (_, i) => 99 - i),
      ]);
    });

    it('shows a reader what there was when it began, and lets it stop early', async () => {
      const store = open();
      await store.append('a', drafts(0, 60));
      let seen = 0;
      for await (const { seq } of store.read()) {
        seen = seq;
        if (seq === 1) await store.append('a', drafts(61, 70));
      }
      expect(seen).toBe(61);
      for await (const { seq } of store.read()) if (seq === 2) break;
      await store.append('a', drafts(71, 71));
      expect(await readAll(store)).toHaveLength(72);
    });

    it('knows the end apart from the records', async () => {
      const store = open();
      await store.append('a', [draft(0, 1), draft(2, 4)]);
      const segments = await readAll(store);
      expect(await store.anchor()).toEqual({ seq: 5, hash: segments[1]!.hash });
    });

    it('keeps hostile text to the letter', async () => {
      const store = open();
      const line = JSON.stringify({
        id: "'; DROP TABLE records; --\u0000\u2028\uD800🦊",
        time: LONG_AGO,
      });
      await store.append('__proto__', [{ n: 0, ...blockOf([line]) }]);
      expect((await readAll(store))[0]!.body).toBe(line);
    });

    it('deletes what is too old, says so, and the chain still verifies', async () => {
      const store = open();
      await store.append('a', [draft(0, 9, LONG_AGO), ...drafts(10, 12)]);
      const before = '2021-01-01T00:00:00.000Z';
      expect(await store.prune({ before, maxBytes: PLENTY })).toBe(10);
      expect(await store.prune({ before, maxBytes: PLENTY })).toBe(0);
      const segments = await readAll(store);
      expect(segments.map(({ seq }) => seq)).toEqual([11, 12, 13, 14]);
      expect(JSON.parse(segments[3]!.body)).toMatchObject({
        kind: 'pruned',
        count: 10,
        through: { seq: 10, hash: segments[0]!.prev },
      });
      await store.append('a', drafts(13, 13));
      expect(await verifyChain(store)).toMatchObject({ ok: true, records: 5, first: 11 });
    });

    it('keeps a segment as long as the youngest of its records', async () => {
      const store = open();
      const [old, young] = [draft(0, 9, LONG_AGO), draft(10, 10)];
      await store.append('a', [{ n: 10, count: 11, body: `${old.body}\n${young.body}` }]);
      expect(await store.prune({ before: '2021-01-01T00:00:00.000Z', maxBytes: PLENTY })).toBe(0);
      expect(await idsIn(store)).toHaveLength(11);
    });

    it('deletes the oldest when there is too much, and again, and goes on', async () => {
      const store = open();
      const line = JSON.stringify({ id: 'x'.repeat(2_000), time: new Date().toISOString() });
      const lines = Array<string>(10).fill(line);
      await store.append(
        'a',
        Array.from({ length: 100 }, (_, n) => ({ n, ...blockOf(lines) })),
      );
      const retention = { before: LONG_AGO, maxBytes: 500_000 };
      expect(await store.prune(retention)).toBeGreaterThan(500);
      expect(await store.prune(retention)).toBe(0);
      await store.append('a', [{ n: 100, ...blockOf([line]) }]);
      await store.prune({ before: LONG_AGO, maxBytes: 100_000 });
      const left = await recordsOf(store);
      expect(left.length).toBeGreaterThan(10);
      expect(left.length).toBeLessThan(300);
      expect(await verifyChain(store)).toMatchObject({ ok: true, flaws: [] });
    });

    it('may lose every record to age and still knows where it was', async () => {
      const store = open();
      await store.append('a', [draft(0, 1, LONG_AGO), draft(2, 4, LONG_AGO)]);
      await store.prune({ before: new Date().toISOString(), maxBytes: PLENTY });
      expect((await readAll(store)).map(({ seq }) => seq)).toEqual([6]);
      expect(await verifyChain(store)).toMatchObject({ ok: true, records: 1 });
    });
  });
}
