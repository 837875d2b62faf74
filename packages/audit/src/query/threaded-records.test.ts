import { describe, expect, it, onTestFinished } from 'vitest';

import { journalFolder } from '../../../../test/testing/audit-folder.js';
import { Journal } from '../journal/journal.js';
import { intentEntry } from '../testing/journal-entries.js';
import { recordsIn } from '../testing/audit-rows.js';
import { ThreadedRecords } from './threaded-records.js';
import { committed } from '../testing/committed.js';

async function setup(count: number) {
  const folder = journalFolder();
  const journal = new Journal({
    folder,
    durability: 'process',
    rotateBytes: 1024 * 1024,
    log: () => undefined,
    consequence: '',
  });
  onTestFinished(() => journal.close(0));
  for (let i = 0; i < count; i += 100) {
    await Promise.all(
      Array.from({ length: 100 }, (_, j) => committed(journal, intentEntry(i + j))),
    );
  }
  const records = new ThreadedRecords({ folder });
  onTestFinished(() => records.close());
  return { folder, records };
}

describe('reading records in threads', () => {
  it('gives the same answers as the tables and the journals', async () => {
    const { folder, records } = await setup(300);
    const written = recordsIn(folder).filter(({ kind }) => kind === 'intent');
    const rows = await records.list({ limit: 5 });
    expect(rows.map(({ id }) => id)).toEqual(written.slice(-5).map(({ id }) => id));
    expect((await records.stats({})).total.calls).toBe(300);
    expect(await records.timeline({}, 'hour')).not.toEqual([]);
    expect(await records.show(written[7]!.id)).toMatchObject([{ record: written[7]! }]);
    expect(await records.verify()).toMatchObject({ ok: true, flaws: [] });
    const lines: string[] = [];
    for await (const some of records.export('csv', {})) lines.push(...some);
    expect(lines).toHaveLength(recordsIn(folder).length + 1);
    expect(lines[0]).toMatch(/^id,time,kind/);
  });

  it('reports errors, and continues', async () => {
    const { records } = await setup(0);
    await expect(records.list({ limit: Number.NaN })).rejects.toThrow();
    expect(await records.list({ limit: 1 })).toEqual([]);
  });

  it('ends a thread that is idle, never one that is working', async () => {
    const { folder } = await setup(5_000);
    const records = new ThreadedRecords({ folder, idleMs: 1 });
    onTestFinished(() => records.close());
    for (let i = 0; i < 3; i++) expect((await records.stats({})).total.calls).toBe(5_000);
  });

  it('leaves the calling thread free for calls of tools', async () => {
    const { records } = await setup(5_000);
    let turns = 0;
    const turning = setInterval(() => turns++);
    onTestFinished(() => clearInterval(turning));
    // The first question fills the tables.
    await Promise.all([records.list({ limit: 200 }), records.stats({ text: 'no such text' })]);
    await records.verify();
    // In this thread it would be a few, one for each answer.
    expect(turns).toBeGreaterThan(20);
  });
});
