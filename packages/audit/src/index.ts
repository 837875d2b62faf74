export { AUDIT_SETTINGS } from './record/audit-settings.js';
export type { AuditSettings } from './record/audit-settings.js';
export { Audit } from './modules/audit.js';
export type { AuditStatus } from './modules/audit.js';
export { bounded } from './record/bounded.js';
export { auditModules } from './modules/audit-modules.js';
export type { AuditModules } from './modules/audit-modules.js';
