/** The key `callsign.metrics`: which tools have their own metrics. */

import * as z from 'zod';

import { texts } from '@callsign/config';

export interface MetricsSettings {
  /** Tools that are counted one by one, as `server:tool`. All others are counted by server. */
  readonly tools: readonly string[];
}

export const METRICS_SETTINGS: z.ZodType<MetricsSettings> = z.lazy(() =>
  z
    .strictObject({
      tools: texts(
        'Tools to count one by one; others are counted by server.',
        'github:create_issue',
      )
        .max(100)
        .default([]),
    })
    .meta({ description: 'The detail of metrics.', examples: [{ tools: ['github:create_issue'] }] })
    .prefault({}),
);
