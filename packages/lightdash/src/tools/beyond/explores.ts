/** Explores: the tables that queries can use. */

import { READ_ONLY_DEFAULT } from '@callsign/toolkit';
import * as z from 'zod';

import type { Explore, ExploreField } from '../../client/explore.js';
import { answer } from '../answer.js';
import { PROJECT_UUID, SEARCH_QUERY } from '../argument.js';
import { listing, named, pageFrom, pageOf } from '../listing.js';
import { selected } from '../selection.js';
import type { Toolbox } from '../toolbox.js';
import { EXPLORE_ID } from './explore-id.js';

const EXPLORES = listing(
  'explores',
  {
    name: z.string().describe('The exploreId for other tools.'),
    label: z.string(),
    description: z.string(),
    groupLabel: z.string(),
    tags: z.array(z.string()),
    schemaName: z.string(),
    databaseName: z.string(),
    errors: z.array(z.looseObject({})).describe('The reason, if it does not work.'),
  },
  ['name', 'label', 'description'],
);

const FIELD = {
  fieldId: z.string().describe('Its id in queries.'),
  label: z.string(),
  type: z.string(),
  table: z.string(),
  description: z.string(),
  sql: z.string(),
};

const DIMENSIONS = listing('dimensions', FIELD, ['fieldId', 'label', 'type', 'description']);

const METRICS = listing(
  'metrics',
  {
    fieldId: z.string().describe('Its id in queries.'),
    name: z.string(),
    label: z.string(),
    tableName: z.string().describe('Its explore, in most cases.'),
    tableLabel: z.string(),
    fieldValueType: z.string(),
    description: z.string(),
  },
  ['fieldId', 'label', 'tableName', 'description'],
);

const EXPLORE = {
  name: z.string(),
  label: z.string(),
  baseTable: z.string(),
  tables: z.array(z.string()).describe('Every table that it joins, its own first.'),
  dimensionCount: z.number(),
  dimensions: z.array(z.string()).describe('Ids of the dimensions; list_dimensions has details.'),
  metricCount: z.number(),
  metrics: z.array(z.string()).describe('Ids of the metrics; list_metrics has details.'),
};

/** The limit of ids in an answer. A wide table has thousands. */
const MAX_IDS = 200;

export function registerExploreTools({ server, registerToolSafe, client }: Toolbox): void {
  registerToolSafe(
    server,
    'list_explores',
    {
      title: 'List explores',
      description: 'Lists the explores of one Lightdash project: the tables that queries can use.',
      inputSchema: z.strictObject({
        projectUuid: PROJECT_UUID,
        searchQuery: SEARCH_QUERY,
        ...EXPLORES.input,
      }),
      outputSchema: EXPLORES.output,
      annotations: READ_ONLY_DEFAULT,
    },
    async ({ projectUuid, searchQuery, fields, ...request }, { signal }) => {
      const explores = await client.listExplores(projectUuid, { signal });
      return EXPLORES.answer(pageOf(named(explores, searchQuery), request), fields);
    },
  );

  registerToolSafe(
    server,
    'get_explore',
    {
      title: 'Get explore',
      description:
        'Describes one explore of a Lightdash project: its tables, and the ids of its dimensions and metrics, which queries use.',
      inputSchema: z.strictObject({ projectUuid: PROJECT_UUID, exploreId: EXPLORE_ID }),
      outputSchema: z.object(EXPLORE).partial(),
      annotations: READ_ONLY_DEFAULT,
    },
    async ({ projectUuid, exploreId }, { signal }) => {
      const explore = await client.getExplore(projectUuid, exploreId, { signal });
      const dimensions = fieldsOf(explore, 'dimensions').map(fieldId);
      const metrics = fieldsOf(explore, 'metrics').map(fieldId);
      const summary = {
        tables: Object.keys(explore.tables ?? {}),
        dimensionCount: dimensions.length,
        dimensions: dimensions.slice(0, MAX_IDS),
        metricCount: metrics.length,
        metrics: metrics.slice(0, MAX_IDS),
      };
      return answer(selected({ ...explore, ...summary }, EXPLORE));
    },
  );

  registerToolSafe(
    server,
    'list_dimensions',
    {
      title: 'List dimensions',
      description:
        'Lists the dimensions of one explore of a Lightdash project: what its metrics can be grouped and filtered by.',
      inputSchema: z.strictObject({
        projectUuid: PROJECT_UUID,
        exploreId: EXPLORE_ID,
        searchQuery: SEARCH_QUERY,
        ...DIMENSIONS.input,
      }),
      outputSchema: DIMENSIONS.output,
      annotations: READ_ONLY_DEFAULT,
    },
    async ({ projectUuid, exploreId, searchQuery, fields, ...request }, { signal }) => {
      const explore = await client.getExplore(projectUuid, exploreId, { signal });
      const dimensions = named(fieldsOf(explore, 'dimensions'), searchQuery);
      const shown = dimensions.map((field) => ({ ...field, fieldId: fieldId(field) }));
      return DIMENSIONS.answer(pageOf(shown, request), fields);
    },
  );

  registerToolSafe(
    server,
    'list_metrics',
    {
      title: 'List metrics',
      description:
        'Lists the metrics of one Lightdash project over all explores. Find one by searchQuery.',
      inputSchema: z.strictObject({
        projectUuid: PROJECT_UUID,
        searchQuery: SEARCH_QUERY,
        ...METRICS.input,
      }),
      outputSchema: METRICS.output,
      annotations: READ_ONLY_DEFAULT,
    },
    async ({ projectUuid, searchQuery, fields, ...request }, { signal }) => {
      const found = await client.listMetrics(
        projectUuid,
        { search: searchQuery, ...request },
        { signal },
      );
      const data = found.data.map((metric) => {
        return { ...metric, fieldId: `${metric.tableName}_${metric.name}` };
      });
      return METRICS.answer(pageFrom({ ...found, data }, request), fields);
    },
  );
}

/** The visible fields, table by table. */
function fieldsOf(explore: Explore, kind: 'dimensions' | 'metrics'): readonly ExploreField[] {
  return Object.values(explore.tables ?? {})
    .flatMap((table) => Object.values(table[kind] ?? {}))
    .filter(({ hidden }) => !hidden);
}

/** The id of a field in queries: its table and its name. */
function fieldId({ table, name }: ExploreField): string {
  return `${table}_${name}`;
}
