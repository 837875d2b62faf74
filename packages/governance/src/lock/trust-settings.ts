/** The keys `trust` and `quarantine` of our settings: what becomes of tools that changed or that deceive. */

import * as z from 'zod';

/** Whether definitions are held against the lock file. */
export type TrustMode = 'off' | 'warn' | 'enforce';

/** What becomes of tools whose names or texts deceive. */
export type QuarantineMode = 'off' | 'warn' | 'names' | 'on';

export const TRUST_MODE: z.ZodType<TrustMode> = z
  .enum(['off', 'warn', 'enforce'])
  .meta({
    description:
      'Whether tools that changed since they were accepted are reported (warn) or withheld (enforce).',
    examples: ['enforce'],
  })
  .default('off');

export const QUARANTINE_MODE: z.ZodType<QuarantineMode> = z
  .enum(['off', 'warn', 'names', 'on'])
  .meta({
    description:
      'Tools that deceive: reported (warn), withheld if it is their name (names), or also if it is their text (on).',
    examples: ['on'],
  })
  .default('names');
