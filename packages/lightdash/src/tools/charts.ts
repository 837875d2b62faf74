/** Charts: saved queries. */

import { READ_ONLY_DEFAULT } from '@callsign/toolkit';
import * as z from 'zod';

import { PROJECT_UUID, SEARCH_QUERY } from './argument.js';
import { listing, named, pageOf } from './listing.js';
import type { Toolbox } from './toolbox.js';

const CHARTS = listing(
  'charts',
  {
    uuid: z.string(),
    name: z.string(),
    slug: z.string(),
    description: z.string(),
    spaceUuid: z.string(),
    spaceName: z.string(),
    dashboardUuid: z.string(),
    dashboardName: z.string(),
    chartType: z.string(),
    chartKind: z.string(),
    source: z.string(),
    views: z.number(),
    updatedAt: z.string(),
  },
  ['uuid', 'name', 'slug', 'spaceName', 'chartKind', 'updatedAt'],
);

export function registerChartTools({ server, registerToolSafe, client }: Toolbox): void {
  registerToolSafe(
    server,
    'list_charts',
    {
      title: 'List charts',
      description:
        'Lists the saved charts of one Lightdash project, with the space that each is in. Filter it with searchQuery.',
      inputSchema: z.strictObject({
        projectUuid: PROJECT_UUID,
        searchQuery: SEARCH_QUERY,
        ...CHARTS.input,
      }),
      outputSchema: CHARTS.output,
      annotations: READ_ONLY_DEFAULT,
    },
    async ({ projectUuid, searchQuery, fields, ...request }, { signal }) => {
      const charts = await client.listCharts(projectUuid, { signal });
      return CHARTS.answer(pageOf(named(charts, searchQuery), request), fields);
    },
  );
}
