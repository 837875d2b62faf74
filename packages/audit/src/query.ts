/** Reading what was recorded: apart from the rest of the package, for it has the database loaded. */

export { openAuditReader } from './query/audit-reader.js';
export type { AuditReader, ListOptions, TailOptions } from './query/audit-reader.js';
export type { AuditFilter } from './query/audit-filter.js';
export { SEVERITIES } from './record/audit-record.js';
export type { AuditRecord, Severity } from './record/audit-record.js';
export type { PlacedRecord } from './store/placed-record.js';
export { defaultAuditFile } from './store/state-file.js';
export { StoreTrouble } from './store/store-trouble.js';
export type { Verification } from './query/verify-chain.js';
