import { mkdirSync } from 'node:fs';

import { describe, expect, it } from 'vitest';

import { journalFolder } from '../../../../test/testing/audit-folder.js';
import { partPath } from '../journal/journal-folder.js';
import type { AuditStore } from '../store/audit-store.js';
import { chainedJournal, writeJournal } from '../testing/chained-journal.js';
import { runUpkeep } from './upkeep-run.js';

const OLD = chainedJournal('20261115T093012-aaaaaaaa', [[2], [2]]);
const OWN = chainedJournal('20261116T093012-bbbbbbbb', [[2], [2], [2]]);

function setup(hasForget = true) {
  const folder = journalFolder();
  for (const journal of [OLD, OWN]) writeJournal(folder, journal);
  const asked: unknown[] = [];
  const tell =
    (name: string) =>
    (...args: unknown[]) =>
      Promise.resolve(void asked.push([name, ...args]));
  const store = {
    positions: () => Promise.resolve(new Map()),
    add: (journal: string) => tell('add')(journal),
    prune: tell('prune'),
    ...(hasForget ? { forget: tell('forget') } : {}),
  } as unknown as AuditStore;
  const run = (before: number | undefined, fills: boolean) =>
    runUpkeep(store, { folder, own: OWN.name, before, maxBytes: 2 ** 30, fills });
  return { run, folder, asked };
}

/** Later than all files of the test. */
const LATER = Date.now() + 86_400_000;

describe('a round of upkeep', () => {
  it('fills the tables first, and then deletes from them what is deleted from the journals', async () => {
    const { run, asked } = setup();
    const { pruned, own } = await run(LATER, true);
    expect(pruned).toMatchObject([{ journal: OLD.name, isGone: true }]);
    expect(own).toMatchObject({ journal: OWN.name });
    const added = [OLD, OLD, OWN, OWN, OWN].map(({ name }) => ['add', name]);
    expect(asked).toEqual([
      ...added,
      ['forget', OLD.name, 5, true],
      ['forget', OWN.name, 5, false],
      ['prune', new Date(LATER).toISOString()],
    ]);
  });

  it('deletes nothing by age if no time is given', async () => {
    const { run, asked } = setup();
    expect(await run(undefined, false)).toEqual({ pruned: [] });
    expect(asked).toEqual([]);
  });

  it('leaves records in a store that keeps more than the journals of this machine', async () => {
    const { run, asked } = setup(false);
    await run(LATER, false);
    expect(asked).toEqual([['prune', new Date(LATER).toISOString()]]);
  });

  it('deletes what is too old, although a journal cannot be read', async () => {
    const { run, folder, asked } = setup();
    mkdirSync(partPath(folder, '20261114T093012-cccccccc', 1));
    const { unreadable, pruned } = await run(LATER, true);
    expect(unreadable).toBe(
      'the journal 20261114T093012-cccccccc cannot be read: its file is a folder',
    );
    expect(pruned).toMatchObject([{ journal: OLD.name }]);
    expect(asked.at(-1)).toEqual(['prune', new Date(LATER).toISOString()]);
  });
});
