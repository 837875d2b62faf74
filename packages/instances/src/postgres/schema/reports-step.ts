/** Step 5: what each instance says about its servers and calls, for operators. */

import type { Migration } from './migration.js';

export const REPORTS_STEP: Migration = {
  version: 5,
  oldest: 2,
  sql: (name) => `alter table ${name('instances')} add column report jsonb;`,
};
