/** Charts as code: complete definitions to read, change and write back. */

import { READ_ONLY_DEFAULT, WRITE_IDEMPOTENT } from '@callsign/toolkit';
import * as z from 'zod';

import { answer } from '../answer.js';
import { PROJECT_UUID } from '../argument.js';
import type { Toolbox } from '../toolbox.js';
import { SLUG } from './slug.js';

/** Definitions are long, so a page is short. */
const MAX_CHARTS = 20;

export function registerChartCodeTools({ server, registerToolSafe, client }: Toolbox): void {
  registerToolSafe(
    server,
    'list_charts_as_code',
    {
      title: 'List charts as code',
      description:
        'Returns the complete definitions of charts of a Lightdash project, by their slugs or starting at an offset. They are long: name the slugs, which list_charts gives.',
      inputSchema: z.strictObject({
        projectUuid: PROJECT_UUID,
        slugs: z.array(SLUG).min(1).max(MAX_CHARTS).optional().describe('Which charts.'),
        offset: z.int().min(0).max(100_000).default(0).describe('How many to skip.'),
        limit: z.int().min(1).max(MAX_CHARTS).default(5).describe('The most charts to return.'),
      }),
      outputSchema: z.object({
        charts: z.array(z.record(z.string(), z.unknown())),
        total: z.number(),
        missingSlugs: z.array(z.string()),
      }),
      annotations: READ_ONLY_DEFAULT,
    },
    async ({ projectUuid, slugs, offset, limit }, { signal }) => {
      const found = await client.listChartsAsCode(projectUuid, { ids: slugs, offset }, { signal });
      return answer({
        charts: found.charts.slice(0, limit),
        total: found.total ?? found.charts.length,
        missingSlugs: found.missingIds ?? [],
      });
    },
  );

  registerToolSafe(
    server,
    'upsert_chart_as_code',
    {
      title: 'Upsert chart as code',
      description:
        'Writes the definition of a chart of a Lightdash project: replaces the chart with that slug, or creates it. Read it with list_charts_as_code first.',
      inputSchema: z.strictObject({
        projectUuid: PROJECT_UUID,
        slug: SLUG.describe('The slug of the chart.'),
        chart: z
          .record(z.string(), z.unknown())
          .describe('The complete definition, in the form that list_charts_as_code gives.'),
      }),
      outputSchema: z.object({ slug: z.string(), action: z.string() }),
      annotations: WRITE_IDEMPOTENT,
    },
    async ({ projectUuid, slug, chart }, { signal }) => {
      const { charts } = await client.upsertChartAsCode(
        projectUuid,
        slug,
        { ...chart, slug },
        { signal },
      );
      return answer({ slug, action: String(charts?.[0]?.action ?? 'written') });
    },
  );
}
