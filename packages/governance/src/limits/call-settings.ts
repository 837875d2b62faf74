/** The settings for quotas, retries and the breaker. */

import * as z from 'zod';

import { count, milliseconds, type SettingOf } from '@callsign/config';

const atLeastOne = (description: string, example: number) =>
  z.exactOptional(
    z
      .int()
      .min(1)
      .meta({ description, examples: [example] }),
  );

/** The schema of one quota, including that of a single server. A limit that is not set does not apply. */
export const QUOTA = z.lazy(() =>
  z
    .strictObject({
      concurrent: atLeastOne('Calls at once; further ones wait.', 4),
      queue: count('Calls that may wait; further ones are refused.', 0, 64),
      perMinute: atLeastOne(
        'Calls per minute. As many may come at once; then they are spread evenly.',
        60,
      ),
    })
    .meta({ description: 'Limits for calls.', examples: [{ concurrent: 4, perMinute: 60 }] }),
);

/** What one server or one caller may use. */
export type Quota = SettingOf<typeof QUOTA>;

/** The schema of `callsign.quota`. Default: no limits. */
export const QUOTAS = z.lazy(() =>
  z
    .strictObject({
      perServer: z.exactOptional(QUOTA),
      perCaller: z.exactOptional(QUOTA),
      maxWaitMs: milliseconds('The longest time that a call waits for its turn.', 10_000),
    })
    .meta({
      description: 'Limits for each server and each caller. Default: no limits.',
      examples: [{ perCaller: { perMinute: 60 } }],
    }),
);

/** Each server and each caller has its own count. */
export type QuotaSettings = SettingOf<typeof QUOTAS>;

/** The schema of `callsign.retry`. Default: no call is sent again. */
export const RETRY = z.lazy(() =>
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

/** Waits double from `firstMs` to `maxMs`. */
export type RetrySettings = SettingOf<typeof RETRY>;

/** The schema of `callsign.breaker`. Default: every call is tried. */
export const BREAKER = z.lazy(() =>
  z
    .strictObject({
      failures: count('Failures in a row after which calls to a server stop.', 1, 5),
      restMs: milliseconds('How long they stop.', 10_000),
    })
    .meta({
      description: 'Stops calls to a server that keeps failing. Default: every call is tried.',
      examples: [{ failures: 5 }],
    }),
);

/** After `failures` in a row, calls to the server are refused for `restMs`. */
export type BreakerSettings = SettingOf<typeof BREAKER>;
