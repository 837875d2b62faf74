/** The key `callsign.metrics`: what the figures at `/metrics` tell apart. */

import * as z from 'zod';

import { texts } from '@callsign/config';

export interface MetricsSettings {
  /** Tools that are counted one by one, as `server:tool`; all others by server. */
  readonly tools: readonly string[];
}

export const METRICS_SETTINGS: z.ZodType<MetricsSettings> = z
  .strictObject({
    tools: texts('Tools to count one by one; others are counted by server.', 'github:create_issue')
      .max(100)
      .default([]),
  })
  .meta({ description: 'What metrics tell apart.', examples: [{ tools: ['github:create_issue'] }] })
  .prefault({});
