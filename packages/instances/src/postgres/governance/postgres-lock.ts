/**
 * The lock file in the database. A definition that is accepted on one instance is accepted on all
 * of them.
 */

import type { LockStore } from '@callsign/governance';

import type { PostgresDocuments } from '../documents/postgres-documents.js';

const NAME = 'lock';

/** Reads come from the copy in memory, so they are synchronous. */
export function postgresLock(documents: PostgresDocuments, schema: string): LockStore {
  return {
    place: `the database (schema "${schema}")`,
    read: () => documents.get(NAME),
    change: (change) => documents.change(NAME, change),
    watch: (listener) => documents.watch(NAME, listener),
  };
}
