/** Queries: compiled to SQL, or run. */

import { READ_ONLY_DEFAULT } from '@callsign/toolkit';
import * as z from 'zod';

import type { MetricQuery } from '../../client/metric-query.js';
import { answer } from '../answer.js';
import { PROJECT_UUID } from '../argument.js';
import type { Toolbox } from '../toolbox.js';
import { EXPLORE_ID } from './explore-id.js';
import { ROW_LIMIT, ROWS, shownRows } from './rows.js';

const MAX_FIELDS = 50;

const FIELD_IDS = z.array(z.string().min(1).max(255)).max(MAX_FIELDS);

const QUERY = {
  projectUuid: PROJECT_UUID,
  exploreId: EXPLORE_ID,
  dimensions: FIELD_IDS.default([]).describe('Ids of dimensions, as list_dimensions gives them.'),
  metrics: FIELD_IDS.default([]).describe('Ids of metrics, as list_metrics gives them.'),
  filters: z
    .record(z.string(), z.unknown())
    .default({})
    .describe("Filters in Lightdash's own form: {dimensions?: {...}, metrics?: {...}}."),
  sorts: z
    .array(z.strictObject({ fieldId: z.string().min(1).max(255), descending: z.boolean() }))
    .max(MAX_FIELDS)
    .default([])
    .describe('The fields to sort by, in this order.'),
  limit: ROW_LIMIT,
};

type QueryArguments = z.infer<z.ZodObject<typeof QUERY>>;

export function registerQueryTools({ server, registerToolSafe, client }: Toolbox): void {
  registerToolSafe(
    server,
    'compile_query',
    {
      title: 'Compile query',
      description:
        'Returns the SQL that Lightdash would run for a query of an explore, without running it.',
      inputSchema: z.strictObject(QUERY),
      outputSchema: z.object({ sql: z.string() }),
      annotations: READ_ONLY_DEFAULT,
    },
    async (args, { signal }) => {
      const sql = await client.compileQuery(args.projectUuid, metricQuery(args), { signal });
      return answer({ sql });
    },
  );

  registerToolSafe(
    server,
    'run_query',
    {
      title: 'Run query',
      description:
        'Runs a query of an explore in the warehouse of a Lightdash project and returns its first rows. Use ids of dimensions and metrics of that explore.',
      inputSchema: z.strictObject(QUERY),
      outputSchema: ROWS,
      annotations: READ_ONLY_DEFAULT,
    },
    async (args, { signal, progress }) => {
      let asked = 0;
      // One extra row shows whether there are more.
      const query = { ...metricQuery(args), limit: args.limit + 1 };
      const { rows } = await client.runQuery(args.projectUuid, query, {
        signal,
        rows: query.limit,
        onWaiting: (status) => void progress(++asked, undefined, `The query is ${status}.`),
      });
      return answer(shownRows(rows, args.limit));
    },
  );
}

function metricQuery(args: QueryArguments): MetricQuery {
  const { exploreId, dimensions, metrics, filters, sorts, limit } = args;
  if (dimensions.length + metrics.length === 0) {
    throw new RangeError('The query is empty. Name at least one dimension or metric.');
  }
  return {
    exploreName: exploreId,
    dimensions,
    metrics,
    filters,
    sorts,
    limit,
    tableCalculations: [],
  };
}
