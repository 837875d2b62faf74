/** Step 4: texts that all instances share, such as the lock file and the encrypted sign-ins. */

import type { Migration } from './migration.js';

export const DOCUMENTS_STEP: Migration = {
  version: 4,
  oldest: 2,
  sql: (name) => `
    create table ${name('documents')} (
      name text primary key,
      text text not null,
      changed_at timestamptz not null default clock_timestamp()
    );
  `,
};
