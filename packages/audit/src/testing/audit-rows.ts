/** Reads back what a test has recorded. */

import { AuditReader } from '../query/audit-reader.js';
import { type Verification, verifySource } from '../query/verify.js';
import { folderSource } from '../journal/journal-source.js';
import { journalsIn } from '../journal/journal-folder.js';
import { recordOf } from '../journal/line-head.js';
import { readLines } from '../journal/read-lines.js';
import type { AuditRecord } from '../record/audit-record.js';
import { sqliteStores } from '../store/sqlite-store.js';

export function readerOf(folder: string): AuditReader {
  return new AuditReader({ folder, store: sqliteStores.open({ folder, settings: undefined }) });
}

/** All records of all journals, without the headers of files. */
export function recordsIn(folder: string): AuditRecord[] {
  return journalsIn(folder)
    .flatMap(({ parts }) => parts.flatMap(({ path }) => [...readLines(path)]))
    .flatMap(({ text, isWhole }) => (isWhole ? (recordOf(text) ?? []) : []))
    .filter(({ kind }) => kind !== 'journal');
}

export function verifyFolder(folder: string): Promise<Verification> {
  return verifySource(folderSource(folder));
}
