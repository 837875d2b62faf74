/** The search over charts, dashboards and spaces of all projects. */

import { READ_ONLY_DEFAULT } from '@callsign/toolkit';
import * as z from 'zod';

import type { ContentFind } from '../../client/content.js';
import { PROJECT_UUID } from '../argument.js';
import { listing, pageFrom } from '../listing.js';
import type { Toolbox } from '../toolbox.js';

const FINDS = listing(
  'finds',
  {
    contentType: z.string(),
    uuid: z.string(),
    name: z.string(),
    slug: z.string(),
    description: z.string(),
    projectUuid: z.string(),
    projectName: z.string(),
    spaceName: z.string(),
    views: z.number(),
    lastUpdatedAt: z.string(),
  },
  ['contentType', 'uuid', 'name', 'projectUuid', 'spaceName'],
);

export function registerSearchTools({ server, registerToolSafe, client, scope }: Toolbox): void {
  registerToolSafe(
    server,
    'search_content',
    {
      title: 'Search content',
      description:
        'Searches the charts, dashboards and spaces of Lightdash by name and description, over all projects or some.',
      inputSchema: z.strictObject({
        search: z.string().trim().min(1).max(200).describe('What to look for.'),
        projectUuids: z
          .array(PROJECT_UUID)
          .min(1)
          .max(100)
          .optional()
          .describe('Only in these projects.'),
        contentTypes: z
          .array(z.enum(['chart', 'dashboard', 'space']))
          .min(1)
          .optional()
          .describe('Only things of these kinds.'),
        ...FINDS.input,
      }),
      outputSchema: FINDS.output,
      annotations: READ_ONLY_DEFAULT,
    },
    async (
      { search, projectUuids = scope.projects, contentTypes, fields, ...request },
      { signal },
    ) => {
      const found = await client.searchContent(
        {
          search,
          ...(projectUuids && { projectUuids }),
          ...(contentTypes && { contentTypes }),
          ...request,
        },
        { signal },
      );
      // A server that ignores the filter would return everything.
      const data = found.data.filter(({ project }) => scope.allows(project?.uuid ?? '')).map(flat);
      return FINDS.answer(pageFrom({ ...found, data }, request), fields);
    },
  );
}

function flat({ project, space, ...find }: ContentFind): object {
  return {
    ...find,
    projectUuid: project?.uuid,
    projectName: project?.name,
    spaceName: space?.name,
  };
}
