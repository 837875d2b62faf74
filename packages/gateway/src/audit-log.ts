/** Reading what was recorded: apart from the rest of the package, for it has the database loaded. */

export { openAuditReader } from './audit/audit-reader.js';
export type { AuditReader, ListOptions, TailOptions } from './audit/audit-reader.js';
export type { AuditFilter } from './audit/audit-filter.js';
export { SEVERITIES } from './audit/audit-record.js';
export type { AuditRecord, Severity } from './audit/audit-record.js';
export type { PlacedRecord } from './audit/placed-record.js';
export { defaultAuditFile } from './audit/state-file.js';
export { StoreTrouble } from './audit/store-trouble.js';
export type { Verification } from './audit/verify-chain.js';
