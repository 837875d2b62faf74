/** Recorded calls in the admin API. */

import type {
  CallFilter,
  CallGroup,
  CallList,
  RecordedCall,
  RecordsVerified,
} from '../data/admin-data.js';
import type { AdminRouter } from '../router/admin-router.js';

/** What is asked of the records. They may be large, so an answer must not hold up calls. */
export interface RecordQueries {
  /** The newest calls that match, the newest first. */
  list(filter: CallFilter, limit: number): Promise<readonly RecordedCall[]>;
  /** Numbers over all calls that match. */
  stats(filter: CallFilter): Promise<{ total: CallGroup; days: readonly CallGroup[] }>;
  /** Checks the hash chain of the journal. */
  verify(): Promise<RecordsVerified>;
}

const PARTS = [
  'since',
  'until',
  'server',
  'tool',
  'risk',
  'outcome',
  'caller',
  'client',
  'decision',
  'text',
] as const;
const USUAL_LIMIT = 200;
const MAX_LIMIT = 1_000;

export function serveRecords(router: AdminRouter, records: RecordQueries): void {
  router.on('GET', '/calls', async ({ query }): Promise<CallList> => {
    const filter = filterIn(query);
    const limit = Math.min(MAX_LIMIT, Number(query.get('limit')) || USUAL_LIMIT);
    const [calls, { total, days }] = await Promise.all([
      records.list(filter, limit),
      records.stats(filter),
    ]);
    return { calls, total, days };
  });
  router.on('GET', '/calls/verify', () => records.verify());
}

function filterIn(query: URLSearchParams): CallFilter {
  return Object.fromEntries(
    PARTS.flatMap((part) => {
      const value = query.get(part);
      return value === null || value === '' ? [] : [[part, value]];
    }),
  );
}
