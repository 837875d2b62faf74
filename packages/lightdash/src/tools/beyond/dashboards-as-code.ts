/** Dashboards as code, and new spaces for content. */

import { READ_ONLY_DEFAULT, WRITE_ADDITIVE, WRITE_IDEMPOTENT } from '@callsign/toolkit';
import * as z from 'zod';

import { answer } from '../answer.js';
import { PROJECT_UUID, SPACE_UUID } from '../argument.js';
import { spaceOfProject } from '../project-scope.js';
import type { Toolbox } from '../toolbox.js';
import { SLUG } from './slug.js';

/** Definitions are long, so a page is short. */
const MAX_DASHBOARDS = 10;

export function registerDashboardCodeTools({ server, registerToolSafe, client }: Toolbox): void {
  registerToolSafe(
    server,
    'list_dashboards_as_code',
    {
      title: 'List dashboards as code',
      description:
        'Returns the complete definitions of dashboards of a Lightdash project, by their slugs or starting at an offset. They are long: name the slugs, which list_dashboards gives.',
      inputSchema: z.strictObject({
        projectUuid: PROJECT_UUID,
        slugs: z.array(SLUG).min(1).max(MAX_DASHBOARDS).optional().describe('Which dashboards.'),
        offset: z.int().min(0).max(100_000).default(0).describe('How many to skip.'),
        limit: z
          .int()
          .min(1)
          .max(MAX_DASHBOARDS)
          .default(3)
          .describe('The most dashboards to return.'),
      }),
      outputSchema: z.object({
        dashboards: z.array(z.record(z.string(), z.unknown())),
        total: z.number(),
        missingSlugs: z.array(z.string()),
      }),
      annotations: READ_ONLY_DEFAULT,
    },
    async ({ projectUuid, slugs, offset, limit }, { signal }) => {
      const query = { ids: slugs, offset };
      const found = await client.projects.listDashboardsAsCode(projectUuid, query, { signal });
      return answer({
        dashboards: found.dashboards.slice(0, limit),
        total: found.total ?? found.dashboards.length,
        missingSlugs: found.missingIds ?? [],
      });
    },
  );

  registerToolSafe(
    server,
    'upsert_dashboard_as_code',
    {
      title: 'Upsert dashboard as code',
      description:
        'Writes the definition of a dashboard of a Lightdash project: replaces the dashboard with that slug, or creates it. Read it with list_dashboards_as_code first.',
      inputSchema: z.strictObject({
        projectUuid: PROJECT_UUID,
        slug: SLUG.describe('The slug of the dashboard.'),
        dashboard: z
          .record(z.string(), z.unknown())
          .describe('The complete definition, in the form that list_dashboards_as_code gives.'),
      }),
      outputSchema: z.object({ slug: z.string(), action: z.string() }),
      annotations: WRITE_IDEMPOTENT,
    },
    async ({ projectUuid, slug, dashboard }, { signal }) => {
      const { dashboards } = await client.projects.upsertDashboardAsCode(
        projectUuid,
        slug,
        { ...dashboard, slug },
        { signal },
      );
      return answer({ slug, action: String(dashboards?.[0]?.action ?? 'written') });
    },
  );

  registerToolSafe(
    server,
    'create_space',
    {
      title: 'Create space',
      description:
        'Creates a new space in a Lightdash project, at the top or inside another space.',
      inputSchema: z.strictObject({
        projectUuid: PROJECT_UUID,
        name: z.string().trim().min(1).max(255).describe('The name of the space.'),
        parentSpaceUuid: SPACE_UUID.optional().describe(
          'The space around it. Default: at the top.',
        ),
      }),
      outputSchema: z.object({ spaceUuid: z.string(), name: z.string() }),
      annotations: WRITE_ADDITIVE,
    },
    async ({ projectUuid, name, parentSpaceUuid }, { signal }) => {
      if (parentSpaceUuid !== undefined) {
        await spaceOfProject(client, { projectUuid, spaceUuid: parentSpaceUuid }, signal);
      }
      const space = { name, parentSpaceUuid };
      const made = await client.projects.createSpace(projectUuid, space, { signal });
      return answer({ spaceUuid: made.uuid, name: made.name });
    },
  );
}
