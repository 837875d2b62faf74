/** Quotas in the database. */

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
