/** The key `callsign.metrics`: which tools and accounts have their own metrics. */

import * as z from 'zod';

import { type SettingOf, texts } from '@callsign/config';

export const METRICS_SETTINGS = z.lazy(() =>
  z
    .strictObject({
      tools: texts(
        'Tools to count one by one; others are counted by server.',
        'github:create_issue',
      )
        .max(100)
        .default([]),
      accounts: texts(
        'Accounts to count one by one. Their names are shown to every reader of metrics.',
        'key:ann',
      )
        .max(100)
        .default([]),
    })
    .meta({ description: 'The detail of metrics.', examples: [{ tools: ['github:create_issue'] }] })
    .prefault({}),
);

export type MetricsSettings = SettingOf<typeof METRICS_SETTINGS>;
