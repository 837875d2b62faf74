/** Step 7: how the wait of a call ended, as the instance says where it waited. */

import type { Migration } from './migration.js';

export const OUTCOMES_STEP: Migration = {
  version: 7,
  oldest: 2,
  sql: (name) => `alter table ${name('approvals')} add column outcome text;`,
};
