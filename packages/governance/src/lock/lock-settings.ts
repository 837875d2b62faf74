/** The settings `lock` and `quarantine`: what happens to tools that changed or that deceive. */

import type { SettingOf } from '@callsign/config';
import * as z from 'zod';

/** The schema of `callsign.lock`. Default: `off`. */
export const LOCK_MODE = z.lazy(() =>
  z
    .enum(['off', 'warn', 'enforce'])
    .meta({
      description:
        'Whether tools that changed since they were accepted are reported (warn) or withheld (enforce).',
      examples: ['enforce'],
    })
    .default('off'),
);

/** Whether definitions are compared with the lock file. */
export type LockMode = SettingOf<typeof LOCK_MODE>;

/** The schema of `callsign.quarantine`. Default: `names`. */
export const QUARANTINE_MODE = z.lazy(() =>
  z
    .enum(['off', 'warn', 'names', 'on'])
    .meta({
      description:
        'Deceptive tools: reported (warn), withheld if their names deceive (names), or also if their texts do (on).',
      examples: ['on'],
    })
    .default('names'),
);

/** How tools with deceptive names or texts are treated. */
export type QuarantineMode = SettingOf<typeof QUARANTINE_MODE>;
