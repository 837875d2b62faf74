export { AUDIT_SETTINGS } from './record/audit-settings.js';
export type { AuditSettings } from './record/audit-settings.js';
export { Audit } from './audit.js';
export type { AuditStatus } from './audit.js';
export { bounded } from './record/bounded.js';
export { auditModules } from './audit-modules.js';
export type { AuditModules } from './audit-modules.js';
