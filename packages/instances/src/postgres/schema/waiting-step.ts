/** Step 10: how long a call waited for a person. New columns of a view can only come last. */

import type { Migration } from './migration.js';

export const WAITING_STEP: Migration = {
  version: 10,
  oldest: 2,
  sql: (name) => `
    alter table ${name('call_records')} add column waitedms double precision;
    create or replace view ${name('calls')} as select
      journals.writer || '-' || records.n as id, records.time, records.day, severity, server, tool, name, method,
      risk, evidence, because, decision, rule, decisions, outcome, caller, client, clientversion, session, era, ms,
      retries, sizein, sizeout, 'sha256:' || encode(fingerprint, 'hex') as fingerprint, arguments, announced,
      journals.journal, records.n, script, account, waitedms
    from ${name('call_records')} as records
      join ${name('call_facts')} using (fact)
      join ${name('journals')} as journals on journals.id = records.journal;
  `,
};
