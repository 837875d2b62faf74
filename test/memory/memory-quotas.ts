/** Quotas in memory, for several instances in one process. */

import type { Clock } from '@callsign/core';
import type { QuotaStore } from '@callsign/governance';

const MINUTE_MS = 60_000;

interface Bucket {
  calls: number;
  at: number;
  readonly blocks: Map<string, { readonly pending: number; readonly until: number }>;
}

export function memoryQuotas(clock: Clock): QuotaStore {
  const buckets = new Map<string, Bucket>();
  return {
    async take({ key, holder, perMinute, kept, returned, wanted, ms }) {
      const now = clock.now();
      const bucket = buckets.get(key) ?? { calls: perMinute, at: now, blocks: new Map() };
      buckets.set(key, bucket);
      bucket.blocks.delete(holder);
      for (const [other, { until }] of bucket.blocks) {
        if (until <= now) bucket.blocks.delete(other);
      }
      const outstanding = [...bucket.blocks.values()].reduce(
        (sum, { pending }) => sum + pending,
        kept,
      );
      const refilled = bucket.calls + returned + ((now - bucket.at) * perMinute) / MINUTE_MS;
      // Blocks that may still be used count towards the burst.
      const calls = Math.max(0, Math.min(perMinute - outstanding, refilled));
      const granted = Math.min(wanted, Math.floor(calls));
      bucket.calls = calls - granted;
      bucket.at = now;
      if (kept + granted > 0)
        bucket.blocks.set(holder, { pending: kept + granted, until: now + ms });
      return { granted, waitMs: ((1 - (calls % 1)) * MINUTE_MS) / perMinute };
    },
  };
}
