/** The settings `lock` and `quarantine`: what happens to tools that changed or that deceive. */

import * as z from 'zod';

/** Whether definitions are compared with the lock file. */
export type LockMode = 'off' | 'warn' | 'enforce';

/** How tools with deceptive names or texts are treated. */
export type QuarantineMode = 'off' | 'warn' | 'names' | 'on';

/** The schema of `callsign.lock`. Unset: `off`. */
export const LOCK_MODE: z.ZodType<LockMode> = z.lazy(() =>
  z
    .enum(['off', 'warn', 'enforce'])
    .meta({
      description:
        'Whether tools that changed since they were accepted are reported (warn) or withheld (enforce).',
      examples: ['enforce'],
    })
    .default('off'),
);

/** The schema of `callsign.quarantine`. Unset: `names`. */
export const QUARANTINE_MODE: z.ZodType<QuarantineMode> = z.lazy(() =>
  z
    .enum(['off', 'warn', 'names', 'on'])
    .meta({
      description:
        'Deceptive tools: reported (warn), withheld if their names deceive (names), or also if their texts do (on).',
      examples: ['on'],
    })
    .default('names'),
);
