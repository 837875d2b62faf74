export { auditExportCommand } from './commands/audit-export.js';
export { auditListCommand } from './commands/audit-list.js';
export { auditQueryCommand } from './commands/audit-query.js';
export { auditShowCommand } from './commands/audit-show.js';
export { auditStatsCommand } from './commands/audit-stats.js';
export { auditTailCommand } from './commands/audit-tail.js';
export { auditVerifyCommand } from './commands/audit-verify.js';
