/** Real journals for tests of stores, and how a store reads them. */

import type { AuditStore } from '@callsign/audit';

import { Journal } from '../../packages/audit/src/journal/journal.js';
import { callEntry, intentEntry } from '../../packages/audit/src/testing/journal-entries.js';
import { fillStore } from '../../packages/audit/src/upkeep/fill-store.js';
import { committed } from '../../packages/audit/src/testing/committed.js';

export function openJournal(folder: string, rotateBytes = 1_000_000): Journal {
  const log = (): void => undefined;
  return new Journal({ folder, durability: 'process', rotateBytes, log, consequence: '' });
}

/** Writes calls, every second one with an intent. Resolves when they are in the file. */
export async function writeCalls(journal: Journal, count: number): Promise<void> {
  for (let i = 0; i < count; i++) {
    const intent = i % 2 === 0 ? undefined : intentEntry(i);
    if (intent) await committed(journal, intent);
    journal.note(callEntry(i, intent));
  }
  await committed(journal, intentEntry(count));
}

export function ship(folder: string, store: AuditStore, recordsAtOnce = 50): Promise<number> {
  return fillStore({ folder, store, recordsAtOnce });
}
