/** Reads back what a test has recorded. */

import { AuditReader } from '../query/audit-reader.js';
import { recordsAfter } from '../query/follow.js';
import type { AuditRecord } from '../record/audit-record.js';
import { sqliteStores } from '../store/sqlite-store.js';

export function readerOf(folder: string): AuditReader {
  return new AuditReader({ folder, store: sqliteStores.open({ folder, settings: undefined }) });
}

/** All records of all journals, without the headers of files. */
export function recordsIn(folder: string): AuditRecord[] {
  return Array.from(recordsAfter(folder, new Map()), ({ record }) => record).filter(
    ({ kind }) => kind !== 'journal',
  );
}
