/** Maintenance of a project: tags, scheduled deliveries, and the check of its content. */

import { READ_ONLY_DEFAULT, WRITE_IDEMPOTENT } from '@callsign/toolkit';
import * as z from 'zod';

import { answer } from '../answer.js';
import { PROJECT_UUID, SEARCH_QUERY } from '../argument.js';
import { listing, named, pageFrom, pageOf } from '../listing.js';
import type { Toolbox } from '../toolbox.js';

const TAGS = listing(
  'tags',
  { tagUuid: z.string(), name: z.string(), color: z.string(), createdAt: z.string() },
  ['tagUuid', 'name'],
);

const SCHEDULERS = listing(
  'schedulers',
  {
    schedulerUuid: z.string(),
    name: z.string(),
    format: z.string(),
    cron: z.string(),
    timezone: z.string(),
    enabled: z.boolean(),
    savedChartUuid: z.string(),
    dashboardUuid: z.string(),
    updatedAt: z.string(),
  },
  ['schedulerUuid', 'name', 'format', 'cron', 'enabled'],
);

const PROBLEMS = listing(
  'problems',
  {
    validationId: z.number(),
    name: z.string(),
    error: z.string(),
    errorType: z.string(),
    source: z.string(),
    chartUuid: z.string(),
    dashboardUuid: z.string(),
    createdAt: z.string(),
  },
  ['name', 'error', 'errorType', 'chartUuid', 'dashboardUuid'],
);

export function registerUpkeepTools({ server, registerToolSafe, client }: Toolbox): void {
  registerToolSafe(
    server,
    'list_tags',
    {
      title: 'List tags',
      description: 'Lists the tags of the metrics catalogue of one Lightdash project.',
      inputSchema: z.strictObject({
        projectUuid: PROJECT_UUID,
        searchQuery: SEARCH_QUERY,
        ...TAGS.input,
      }),
      outputSchema: TAGS.output,
      annotations: READ_ONLY_DEFAULT,
    },
    async ({ projectUuid, searchQuery, fields, ...request }, { signal }) => {
      const tags = await client.projects.listTags(projectUuid, { signal });
      return TAGS.answer(pageOf(named(tags, searchQuery), request), fields);
    },
  );

  registerToolSafe(
    server,
    'list_schedulers',
    {
      title: 'List schedulers',
      description:
        'Lists the scheduled deliveries of charts and dashboards of one Lightdash project.',
      inputSchema: z.strictObject({
        projectUuid: PROJECT_UUID,
        searchQuery: SEARCH_QUERY,
        ...SCHEDULERS.input,
      }),
      outputSchema: SCHEDULERS.output,
      annotations: READ_ONLY_DEFAULT,
    },
    async ({ projectUuid, searchQuery, fields, ...request }, { signal }) => {
      const query = { searchQuery, ...request };
      const found = await client.projects.listSchedulers(projectUuid, query, { signal });
      return SCHEDULERS.answer(pageFrom(found, request), fields);
    },
  );

  registerToolSafe(
    server,
    'validate_project',
    {
      title: 'Validate project',
      description:
        'Starts a check of all charts, dashboards and tables of one Lightdash project. get_validation_results lists the problems.',
      inputSchema: z.strictObject({ projectUuid: PROJECT_UUID }),
      outputSchema: z.object({ jobId: z.string() }),
      annotations: WRITE_IDEMPOTENT,
    },
    async ({ projectUuid }, { signal }) => {
      return answer({ jobId: String(await client.projects.validate(projectUuid, { signal })) });
    },
  );

  registerToolSafe(
    server,
    'get_validation_results',
    {
      title: 'Get validation results',
      description:
        'Lists the problems that the last check of one Lightdash project found in its content.',
      inputSchema: z.strictObject({ projectUuid: PROJECT_UUID, ...PROBLEMS.input }),
      outputSchema: PROBLEMS.output,
      annotations: READ_ONLY_DEFAULT,
    },
    async ({ projectUuid, fields, ...request }, { signal }) => {
      const found = await client.projects.listValidationProblems(projectUuid, request, { signal });
      return PROBLEMS.answer(pageFrom(found, request), fields);
    },
  );
}
