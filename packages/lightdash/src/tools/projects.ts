/** Projects, which contain all other content. */

import { READ_ONLY_DEFAULT } from '@callsign/toolkit';
import * as z from 'zod';

import { answer } from './answer.js';
import { PROJECT_UUID, SEARCH_QUERY } from './argument.js';
import { listing, named, pageOf } from './listing.js';
import { selected } from './selection.js';
import type { Toolbox } from './toolbox.js';

const PROJECTS = listing(
  'projects',
  {
    projectUuid: z.string(),
    name: z.string(),
    slug: z.string(),
    type: z.string().describe('DEFAULT, or PREVIEW for a temporary copy.'),
    warehouseType: z.string(),
    createdAt: z.string(),
    createdByUserName: z.string(),
    upstreamProjectUuid: z.string().describe('The project that a preview copies.'),
    expiresAt: z.string(),
  },
  ['projectUuid', 'name', 'type', 'warehouseType'],
);

/** Only the kind of a connection is shown. Hosts, branches and variables are not. */
const PROJECT = {
  projectUuid: z.string(),
  name: z.string(),
  slug: z.string(),
  type: z.string(),
  organizationUuid: z.string(),
  dbtConnectionType: z.string(),
  dbtVersion: z.string(),
  warehouseType: z.string(),
  schedulerTimezone: z.string(),
  queryTimezone: z.string(),
  createdByUserUuid: z.string(),
  upstreamProjectUuid: z.string(),
  expiresAt: z.string(),
};

export function registerProjectTools({ server, registerToolSafe, client, scope }: Toolbox): void {
  registerToolSafe(
    server,
    'list_projects',
    {
      title: 'List projects',
      description:
        'Lists the Lightdash projects of the organization. Start here: most other tools need the UUID of a project.',
      inputSchema: z.strictObject({ searchQuery: SEARCH_QUERY, ...PROJECTS.input }),
      outputSchema: PROJECTS.output,
      annotations: READ_ONLY_DEFAULT,
    },
    async ({ searchQuery, fields, ...request }, { signal }) => {
      const projects = await client.listProjects({ signal });
      const open = projects.filter(({ projectUuid }) => scope.allows(projectUuid));
      return PROJECTS.answer(pageOf(named(open, searchQuery), request), fields);
    },
  );

  registerToolSafe(
    server,
    'get_project',
    {
      title: 'Get project',
      description:
        'Describes one Lightdash project: its type, its versions, its time zones, and the kinds of its connections.',
      inputSchema: z.strictObject({ projectUuid: PROJECT_UUID }),
      outputSchema: z.object(PROJECT).partial(),
      annotations: READ_ONLY_DEFAULT,
    },
    async ({ projectUuid }, { signal }) => {
      const project = await client.getProject(projectUuid, { signal });
      const { dbtConnection, warehouseConnection } = project;
      const kinds = {
        dbtConnectionType: dbtConnection?.type,
        warehouseType: warehouseConnection?.type,
      };
      return answer(selected({ ...project, ...kinds }, PROJECT));
    },
  );
}
