/**
 * The quotas that all instances share. An instance takes a block of calls out of a quota and uses
 * it without asking. A block counts as used until it is given back or its time is over, so the
 * quota is never exceeded.
 */

import type { Clock } from '@callsign/core';

/** A request for more calls. It also reports what became of the last block. */
export interface BlockRequest {
  /** Such as `principal ann`, or `server github`. */
  readonly key: string;
  /** The id of the instance. */
  readonly holder: string;
  readonly perMinute: number;
  /** Unused calls of the last block that stay with the instance. */
  readonly kept: number;
  /** Unused calls of the last block that are given back. */
  readonly returned: number;
  readonly wanted: number;
  /** How long the block lasts, in milliseconds. */
  readonly ms: number;
}

/** The answer of the store. */
export interface Block {
  /** At most what was wanted. */
  readonly granted: number;
  /** If nothing was granted: the earliest time at which a call becomes free, in milliseconds. */
  readonly waitMs: number;
}

/** Implemented in memory and in Postgres. `take` must be atomic. */
export interface QuotaStore {
  take(request: BlockRequest): Promise<Block>;
}

const MINUTE_MS = 60_000;

interface Bucket {
  calls: number;
  at: number;
  readonly blocks: Map<string, { readonly held: number; readonly until: number }>;
}

/** Quotas in memory, for several instances in one process: tests and simulations. */
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
      const outstanding = [...bucket.blocks.values()].reduce((sum, { held }) => sum + held, kept);
      const refilled = bucket.calls + returned + ((now - bucket.at) * perMinute) / MINUTE_MS;
      // Blocks that may still be used count towards the burst.
      const calls = Math.max(0, Math.min(perMinute - outstanding, refilled));
      const granted = Math.min(wanted, Math.floor(calls));
      bucket.calls = calls - granted;
      bucket.at = now;
      if (kept + granted > 0) bucket.blocks.set(holder, { held: kept + granted, until: now + ms });
      return { granted, waitMs: ((1 - (calls % 1)) * MINUTE_MS) / perMinute };
    },
  };
}
