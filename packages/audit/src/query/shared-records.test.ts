import { describe, expect, it, onTestFinished } from 'vitest';

import { journalFolder } from '../../../../test/testing/audit-folder.js';
import { openJournal, writeCalls } from '../../../../test/testing/written-journal.js';
import { folderSource } from '../journal/journal-source.js';
import { sqliteStores } from '../store/sqlite-store.js';
import { recordsIn } from '../testing/audit-rows.js';
import { fillStore } from '../upkeep/fill-store.js';
import { ThreadedRecords } from './threaded-records.js';

describe('records in a shared store', () => {
  it('are read from its tables and journals without a thread, and it stays open', async () => {
    const folder = journalFolder();
    const journal = openJournal(folder);
    onTestFinished(() => journal.close(0));
    await writeCalls(journal, 2);
    const store = sqliteStores.open({ folder, settings: undefined });
    onTestFinished(() => store.close());
    await fillStore({ folder, store });
    // A thread would look into this folder, and find nothing.
    const elsewhere = journalFolder();
    const records = new ThreadedRecords({ folder: elsewhere, store, source: folderSource(folder) });
    const written = recordsIn(folder);
    expect(await records.list({ limit: 10 })).toHaveLength(3);
    expect((await records.stats({})).total.calls).toBe(3);
    expect(await records.timeline({}, 'day')).toMatchObject([{ calls: 3 }]);
    expect(await records.show(written[0]!.id)).toMatchObject([{ record: written[0] }]);
    expect(await records.verify()).toMatchObject({ ok: true, journals: 1 });
    const lines: string[] = [];
    for await (const some of records.export('csv', {})) lines.push(...some);
    expect(lines).toHaveLength(written.length + 1);
    await records.close();
    expect((await store.stats({})).total.calls).toBe(3);
  });
});
