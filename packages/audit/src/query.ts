/** Reading records. Separate from the rest of the package, since it loads the database. */

export { AuditReader } from './query/audit-reader.js';
export type { ShownRecord, TailOptions } from './query/audit-reader.js';
export { DECISION_WORDS, FilterError, filterFrom } from './query/filter-words.js';
export type { FilterWords } from './query/filter-words.js';
export { verifyCopy } from './query/verify.js';
export type { Verification } from './query/verify.js';
export type { Flaw, Note } from './journal/verify-journal.js';

export { SEVERITIES } from './record/audit-record.js';
export type { AuditRecord, Severity } from './record/audit-record.js';
export { defaultAuditFolder } from './journal/journal-folder.js';
export { AuditTrouble } from './record/trouble.js';

// The tables.
export { storedRecord } from './store/stored-call.js';
export { sqliteStores } from './store/sqlite-store.js';
export { SqlTrouble } from './store/user-sql.js';
export type { AuditFilter } from './store/audit-filter.js';
