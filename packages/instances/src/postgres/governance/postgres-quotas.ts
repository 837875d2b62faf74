/** Quotas in the database, and the removal of old rows. */

import type { QuotaStore } from '@callsign/governance';

import type { Database } from '../database/database.js';

/** Hands out blocks of calls, so that instances need not ask for every call. */
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

/** Deletes rows that no longer matter: quotas that are full again, and what has expired. */
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
