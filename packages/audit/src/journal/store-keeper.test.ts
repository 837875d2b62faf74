import { describe, expect, it } from 'vitest';

import { UNNUMBERED } from '../record/audit-entry.js';
import { Page } from '../store/batch.js';
import { StoreKeeper } from './store-keeper.js';
import { MemoryStore } from '../testing/memory-store.js';

const DAY_MS = 24 * 60 * 60 * 1000;

function keeping(keepDays: number) {
  const said: string[] = [];
  const store = new MemoryStore();
  const retention = { keepDays, maxBytes: 2 ** 40 };
  const keeper = new StoreKeeper(store, { retention, say: (sentence) => said.push(sentence) });
  const keep = (from: number, to: number, time: number): Promise<void> => {
    const page = new Page(from);
    for (let n = from; n < to; n++) {
      page.add({ kind: 'gap', n: UNNUMBERED, time, lost: 1, reason: 'x' });
    }
    return keeper.keep(page.toBatch('w'));
  };
  return { keeper, keep, store, said };
}

describe('the keeper of a store', () => {
  it('deletes what is too old, at first and then after many records', async () => {
    const { keeper, keep, store } = keeping(30);
    await keep(0, 5, Date.now() - 31 * DAY_MS);
    await keep(5, 6, Date.now() - 29 * DAY_MS);
    await keeper.tidy();
    expect(store.segments.map(({ seq }) => seq)).toEqual([6, 7]);
    await keep(6, 8, Date.now() - 31 * DAY_MS);
    await keeper.tidy();
    expect(store.head?.seq).toBe(9);
    // The first one is still young enough to stay, and so is all that came after it.
    await keep(8, 10_008, Date.now());
    store.segments[0] = { ...store.segments[0]!, body: '{"time":"2020-01-01T00:00:00.000Z"}' };
    await keeper.tidy();
    expect(store.segments[0]!.seq).toBe(7);
  });

  it('keeps for ever where somebody says so', async () => {
    const { keeper, keep, store, said } = keeping(Number.MAX_SAFE_INTEGER);
    await keep(0, 5, 1);
    await keeper.tidy();
    expect(store.head?.seq).toBe(5);
    expect(said).toEqual([]);
  });

  it('says that it could not delete, and goes on', async () => {
    const { keeper, keep, store, said } = keeping(30);
    store.prune = () => Promise.reject(new Error('the disk is full'));
    await keep(0, 1, 1);
    await keeper.tidy();
    expect(said).toEqual(['Old records were not deleted: the disk is full']);
    await keep(1, 2, 1);
    expect(store.head?.seq).toBe(2);
  });
});
