/** Quotas in the database. */

import type { QuotaStore } from '@callsign/governance';

import type { Database } from '../database/database.js';

export function postgresQuotas(database: Database): QuotaStore {
  return {
    async take({ key, holder, perMinute, kept, returned, wanted, ms }) {
      const [block] = await database.query<{ granted: number; wait_ms: number }>(
        `select granted, wait_ms from ${database.name('take_quota')}($1, $2, $3, $4, $5, $6, $7)`,
        [key, holder, perMinute, kept, returned, wanted, ms],
      );
      return { granted: block!.granted, waitMs: block!.wait_ms };
    },
  };
}

/** Deletes rows that are not needed: full quotas, and waiting calls and answers that have expired. */
export async function forgetOld(database: Database): Promise<void> {
  await database.query(
    `delete from ${database.name('quotas')} where refilled_at < now() - interval '10 minutes'`,
  );
  await database.query(`delete from ${database.name('answers')} where ends_at < now()`);
  await database.query(
    `delete from ${database.name('approvals')} where ends_at < now() - interval '1 hour'`,
  );
  await database.query(
    `delete from ${database.name('instances')} where seen_at < now() - interval '1 day'`,
  );
}
