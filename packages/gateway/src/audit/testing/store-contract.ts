/** What every store of records must do. */

import { describe, expect, it } from 'vitest';

import type { AuditStore, Line, ReadOptions } from '../audit-store.js';
import { hashOf, type Link } from '../chain.js';
import { verifyChain } from '../verify-chain.js';

const LONG_AGO = '2020-01-01T00:00:00.000Z';
const PLENTY = 2 ** 40;

export function lines(from: number, to: number, time: string = new Date().toISOString()): Line[] {
  return Array.from({ length: to - from + 1 }, (_, i) => ({
    n: from + i,
    body: JSON.stringify({ kind: 'call', id: `id-${from + i}`, time, severity: 'info' }),
  }));
}

export async function readAll(store: AuditStore, options?: ReadOptions): Promise<Link[]> {
  const links: Link[] = [];
  for await (const link of store.read(options)) links.push(link);
  return links;
}

export async function idsIn(store: AuditStore, options?: ReadOptions): Promise<string[]> {
  const links = await readAll(store, options);
  return links.map(({ body }) => (JSON.parse(body) as { id: string }).id);
}

/** `open` makes a store for one test, empty, and closes it after. */
export function storeContract(name: string, open: () => AuditStore): void {
  describe(`${name} as a store of records`, () => {
    it('keeps lines in the order of their coming, each chained to the one before', async () => {
      const store = open();
      await store.append('a', lines(0, 1));
      await store.append('a', lines(2, 2));
      const links = await readAll(store);
      expect(links.map(({ seq }) => seq)).toEqual([1, 2, 3]);
      expect(links[0]!.prev).toBe('0'.repeat(64));
      expect(links[2]!.prev).toBe(links[1]!.hash);
      expect(links[2]!.hash).toBe(hashOf(links[1]!.hash, links[2]!.body));
    });

    it('keeps a line once that is given twice, and tells writers apart', async () => {
      const store = open();
      await store.append('a', lines(0, 3));
      await store.append('a', lines(2, 5));
      await store.append('b', lines(0, 0));
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
      await store.append('a', lines(1, 1_200));
      expect(await idsIn(store, { after: 1_198 })).toEqual(['id-1199', 'id-1200']);
      const backwards = await idsIn(store, { newestFirst: true });
      expect(backwards).toHaveLength(1_200);
      expect([backwards[0], backwards[1_199]]).toEqual(['id-1200', 'id-1']);
    });

    it('shows a reader what there was when it began, and lets it stop early', async () => {
      const store = open();
      await store.append('a', lines(0, 600));
      let seen = 0;
      for await (const { seq } of store.read()) {
        seen = seq;
        if (seq === 1) await store.append('a', lines(601, 700));
      }
      expect(seen).toBe(601);
      for await (const { seq } of store.read()) if (seq === 2) break;
      await store.append('a', lines(701, 701));
      expect(await readAll(store)).toHaveLength(702);
    });

    it('knows the end apart from the records', async () => {
      const store = open();
      await store.append('a', lines(0, 4));
      const links = await readAll(store);
      expect(await store.anchor()).toEqual({ seq: 5, hash: links[4]!.hash });
    });

    it('keeps hostile text to the letter', async () => {
      const store = open();
      const body = JSON.stringify({
        id: "'; DROP TABLE records; --\u0000\u2028\uD800🦊",
        time: LONG_AGO,
      });
      await store.append('__proto__', [{ n: 0, body }]);
      expect((await readAll(store))[0]!.body).toBe(body);
    });

    it('deletes what is too old, says so, and the chain still verifies', async () => {
      const store = open();
      await store.append('a', [...lines(0, 9, LONG_AGO), ...lines(10, 12)]);
      const before = '2021-01-01T00:00:00.000Z';
      expect(await store.prune({ before, maxBytes: PLENTY })).toBe(10);
      expect(await store.prune({ before, maxBytes: PLENTY })).toBe(0);
      const links = await readAll(store);
      expect(links.map(({ seq }) => seq)).toEqual([11, 12, 13, 14]);
      expect(JSON.parse(links[3]!.body)).toMatchObject({
        kind: 'pruned',
        count: 10,
        through: { seq: 10, hash: links[0]!.prev },
      });
      await store.append('a', lines(13, 13));
      expect(await verifyChain(store)).toMatchObject({ ok: true, records: 5, first: 11 });
    });

    it('deletes the oldest when there is too much, and again, and goes on', async () => {
      const store = open();
      const body = JSON.stringify({ id: 'x'.repeat(2_000), time: new Date().toISOString() });
      await store.append(
        'a',
        Array.from({ length: 1_000 }, (_, n) => ({ n, body })),
      );
      const retention = { before: LONG_AGO, maxBytes: 500_000 };
      expect(await store.prune(retention)).toBeGreaterThan(500);
      expect(await store.prune(retention)).toBe(0);
      await store.append('a', [{ n: 1_000, body }]);
      await store.prune({ before: LONG_AGO, maxBytes: 100_000 });
      const left = await readAll(store);
      expect(left.length).toBeGreaterThan(10);
      expect(left.length).toBeLessThan(300);
      expect(await verifyChain(store)).toMatchObject({ ok: true, flaws: [] });
    });

    it('may lose every record to age and still knows where it was', async () => {
      const store = open();
      await store.append('a', lines(0, 4, LONG_AGO));
      await store.prune({ before: new Date().toISOString(), maxBytes: PLENTY });
      expect((await readAll(store)).map(({ seq }) => seq)).toEqual([6]);
      expect(await verifyChain(store)).toMatchObject({ ok: true, records: 1 });
    });
  });
}
