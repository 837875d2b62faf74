/** Spaces: the folders of charts and dashboards. */

import { READ_ONLY_DEFAULT } from '@callsign/toolkit';
import * as z from 'zod';

import { answer } from './answer.js';
import { PROJECT_UUID, SEARCH_QUERY, SPACE_UUID } from './argument.js';
import { listing, named, pageOf } from './listing.js';
import { spaceOfProject } from './project-scope.js';
import { selected } from './selection.js';
import type { Toolbox } from './toolbox.js';

const SPACES = listing(
  'spaces',
  {
    uuid: z.string(),
    name: z.string(),
    slug: z.string(),
    path: z.string().describe('Where it is in the tree of spaces.'),
    parentSpaceUuid: z.string(),
    chartCount: z.number(),
    dashboardCount: z.number(),
    childSpaceCount: z.number(),
    inheritsFromOrgOrProject: z.boolean(),
    access: z.array(z.string()).describe('UUIDs of the members with direct access.'),
  },
  ['uuid', 'name', 'path', 'parentSpaceUuid', 'chartCount', 'dashboardCount'],
);

const ENTRY = { uuid: z.string(), name: z.string() };
const GROUP_ACCESS = { groupUuid: z.string(), groupName: z.string(), spaceRole: z.string() };

const SPACE = {
  uuid: z.string(),
  name: z.string(),
  slug: z.string(),
  path: z.string(),
  parentSpaceUuid: z.string(),
  inheritsFromOrgOrProject: z.boolean(),
  breadcrumbs: z.array(z.string()).describe('Names from the top of the tree down to the space.'),
  chartCount: z.number(),
  charts: z.array(z.object(ENTRY).partial()).describe('The first charts in it.'),
  dashboardCount: z.number(),
  dashboards: z.array(z.object(ENTRY).partial()).describe('The first dashboards in it.'),
  childSpaceCount: z.number(),
  childSpaces: z.array(z.object(ENTRY).partial()).describe('The first spaces in it.'),
  groupsAccess: z.array(z.object(GROUP_ACCESS).partial()).describe('The groups with access.'),
};

export function registerSpaceTools({ server, registerToolSafe, client }: Toolbox): void {
  registerToolSafe(
    server,
    'list_spaces',
    {
      title: 'List spaces',
      description:
        'Lists the spaces (folders) of one Lightdash project, with the number of items in each.',
      inputSchema: z.strictObject({
        projectUuid: PROJECT_UUID,
        searchQuery: SEARCH_QUERY,
        ...SPACES.input,
      }),
      outputSchema: SPACES.output,
      annotations: READ_ONLY_DEFAULT,
    },
    async ({ projectUuid, searchQuery, fields, ...request }, { signal }) => {
      const spaces = await client.listSpaces(projectUuid, { signal });
      return SPACES.answer(pageOf(named(spaces, searchQuery), request), fields);
    },
  );

  registerToolSafe(
    server,
    'get_space',
    {
      title: 'Get space',
      description:
        'Describes one space of a Lightdash project: what is in it, where it is, and which groups have access.',
      inputSchema: z.strictObject({
        projectUuid: PROJECT_UUID,
        spaceUuid: SPACE_UUID,
        contentLimit: z
          .int()
          .min(0)
          .max(200)
          .default(50)
          .describe('The most charts, the most dashboards and the most spaces to name.'),
      }),
      outputSchema: z.object(SPACE).partial(),
      annotations: READ_ONLY_DEFAULT,
    },
    async ({ contentLimit, ...address }, { signal }) => {
      const space = await spaceOfProject(client, address, signal);
      const { queries = [], dashboards = [], childSpaces = [] } = space;
      const { groupsAccess = [], breadcrumbs = [] } = space;
      const first = (entries: readonly object[]): object[] =>
        entries.slice(0, contentLimit).map((entry) => selected(entry, ENTRY));
      const contents = {
        breadcrumbs: breadcrumbs.map(({ name }) => name),
        chartCount: queries.length,
        charts: first(queries),
        dashboardCount: dashboards.length,
        dashboards: first(dashboards),
        childSpaceCount: childSpaces.length,
        childSpaces: first(childSpaces),
        groupsAccess: groupsAccess.map((access) => selected(access, GROUP_ACCESS)),
      };
      return answer(selected({ ...space, ...contents }, SPACE));
    },
  );
}
