/** The settings for quotas, retries and the breaker. */

import type { Quota } from './limit.js';
import * as z from 'zod';

import { count, milliseconds } from '@callsign/config';

/** Waits double from `firstMs` to `maxMs`. */
export interface RetrySettings {
  /** How often a lost call may be sent again. */
  readonly attempts: number;
  readonly firstMs: number;
  readonly maxMs: number;
}

/** Each server and each caller has its own count. */
export interface QuotaSettings {
  readonly perServer?: Quota;
  readonly perCaller?: Quota;
  /** The longest wait for a free slot. */
  readonly maxWaitMs: number;
}

/** After `failures` in a row, calls to the server are refused for `restMs`. */
export interface BreakerSettings {
  readonly failures: number;
  readonly restMs: number;
}

const atLeastOne = (description: string, example: number) =>
  z.exactOptional(
    z
      .int()
      .min(1)
      .meta({ description, examples: [example] }),
  );

/** The schema of one quota, also for a single server. A limit that is not set does not apply. */
export const QUOTA: z.ZodType<Quota> = z.lazy(() =>
  z
    .strictObject({
      concurrent: atLeastOne('Calls at once; further ones wait.', 4),
      queue: count('Calls that may wait; further ones are refused.', 0, 64),
      perMinute: atLeastOne('Calls in a minute.', 60),
    })
    .meta({ description: 'Limits for calls.', examples: [{ concurrent: 4, perMinute: 60 }] }),
);

/** The schema of `callsign.quota`. Unset: no limits. */
export const QUOTAS: z.ZodType<QuotaSettings> = z.lazy(() =>
  z
    .strictObject({
      perServer: z.exactOptional(QUOTA),
      perCaller: z.exactOptional(QUOTA),
      maxWaitMs: milliseconds('The longest time that a call waits for its turn.', 10_000),
    })
    .meta({
      description: 'Limits for each server and each caller. Unset: no limits.',
      examples: [{ perCaller: { perMinute: 60 } }],
    }),
);

/** The schema of `callsign.retry`. Unset: no call is sent again. */
export const RETRY: z.ZodType<RetrySettings> = z.lazy(() =>
  z
    .strictObject({
      attempts: count('How often a lost call may be sent again.', 1, 2),
      firstMs: milliseconds(
        'Wait before the first retry; each further wait is twice as long.',
        200,
      ),
      maxMs: milliseconds('Longest wait.', 5_000),
    })
    .meta({
      description: 'Sends lost calls again, if the hints say that a repetition does no harm.',
      examples: [{ attempts: 2 }],
    }),
);

/** The schema of `callsign.breaker`. Unset: every call is tried. */
export const BREAKER: z.ZodType<BreakerSettings> = z.lazy(() =>
  z
    .strictObject({
      failures: count('Failures in a row after which calls to a server stop.', 1, 5),
      restMs: milliseconds('How long they stop.', 10_000),
    })
    .meta({
      description: 'Stops calls to a server that keeps failing. Unset: every call is tried.',
      examples: [{ failures: 5 }],
    }),
);
