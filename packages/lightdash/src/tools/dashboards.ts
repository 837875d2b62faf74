/** Dashboards: collections of charts. */

import { READ_ONLY_DEFAULT } from '@callsign/toolkit';
import * as z from 'zod';

import { PROJECT_UUID, SEARCH_QUERY } from './argument.js';
import { listing, named, pageOf } from './listing.js';
import type { Toolbox } from './toolbox.js';

const DASHBOARDS = listing(
  'dashboards',
  {
    uuid: z.string(),
    name: z.string(),
    slug: z.string(),
    description: z.string(),
    spaceUuid: z.string(),
    tileTypes: z.array(z.string()),
    views: z.number(),
    updatedAt: z.string(),
  },
  ['uuid', 'name', 'slug', 'spaceUuid', 'updatedAt'],
);

export function registerDashboardTools({ server, registerToolSafe, client }: Toolbox): void {
  registerToolSafe(
    server,
    'list_dashboards',
    {
      title: 'List dashboards',
      description: 'Lists the dashboards of one Lightdash project. Filter it with searchQuery.',
      inputSchema: z.strictObject({
        projectUuid: PROJECT_UUID,
        searchQuery: SEARCH_QUERY,
        ...DASHBOARDS.input,
      }),
      outputSchema: DASHBOARDS.output,
      annotations: READ_ONLY_DEFAULT,
    },
    async ({ projectUuid, searchQuery, fields, ...request }, { signal }) => {
      const dashboards = await client.listDashboards(projectUuid, { signal });
      return DASHBOARDS.answer(pageOf(named(dashboards, searchQuery), request), fields);
    },
  );
}
