/** What a store of calls needs. Separate from the rest of the package, and without a database. */

export { isComplete, isOfCall } from './record/audit-record.js';
export type { AuditRecord, EventRecord } from './record/audit-record.js';
export { AuditTrouble } from './record/trouble.js';
export { lineHead, partHeader, recordOf } from './journal/line-head.js';
export { GENESIS } from './journal/anchor.js';
export type { Flaw } from './journal/verify-journal.js';
export {
  EXACT_FILTERS,
  filterMatcher,
  isOfCallsOnly,
  periodOf,
  severitiesOf,
} from './store/audit-filter.js';
export type { AuditFilter } from './store/audit-filter.js';
export { bucketOf, CALL_FACTS, storedCall, storedRecord } from './store/stored-call.js';
export { statsOf } from './store/stats-sum.js';
export type { CallsOfDay, CallsOfTool } from './store/stats-sum.js';
export { readingStatement, SqlTrouble } from './store/user-sql.js';
export type { SqlDialect } from './store/user-sql.js';
