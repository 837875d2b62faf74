/** Rows of saved charts, and of SQL from the model. */

import { READ_ONLY_DEFAULT, WRITE_DESTRUCTIVE } from '@callsign/toolkit';
import * as z from 'zod';

import { LightdashError } from '../../client/lightdash-error.js';
import { answer } from '../answer.js';
import { PROJECT_UUID } from '../argument.js';
import type { Toolbox } from '../toolbox.js';
import { ROW_LIMIT, ROWS, shownRows } from './rows.js';

const CHART_UUID = z
  .guid()
  .toLowerCase()
  .describe('The UUID of the chart, as list_charts gives it.');

export function registerResultTools({ server, registerToolSafe, client }: Toolbox): void {
  registerToolSafe(
    server,
    'get_chart_results',
    {
      title: 'Get chart results',
      description:
        'Runs the query of a saved chart in the warehouse of its Lightdash project and returns its first rows.',
      inputSchema: z.strictObject({
        projectUuid: PROJECT_UUID,
        chartUuid: CHART_UUID,
        limit: ROW_LIMIT,
      }),
      outputSchema: ROWS,
      annotations: READ_ONLY_DEFAULT,
    },
    async ({ projectUuid, chartUuid, limit }, { signal, progress }) => {
      // Lightdash ignores the project in the address of a chart, so the chart may belong to another.
      const charts = await client.listCharts(projectUuid, { signal });
      if (!charts.some(({ uuid }) => uuid.toLowerCase() === chartUuid)) {
        throw new LightdashError(
          'not-found',
          `This project has no chart ${chartUuid}. list_charts gives the UUIDs.`,
        );
      }
      let asked = 0;
      const { rows } = await client.projects.runChart(projectUuid, chartUuid, {
        signal,
        rows: limit + 1,
        onWaiting: (status) => void progress(++asked, undefined, `The query is ${status}.`),
      });
      return answer(shownRows(rows, limit));
    },
  );

  registerToolSafe(
    server,
    'run_sql',
    {
      title: 'Run SQL',
      description:
        'Runs SQL in the warehouse of a Lightdash project with the rights of its connection, and returns the first rows. It can change data if that connection may. Prefer run_query, which only reads. Ask the user first.',
      inputSchema: z.strictObject({
        projectUuid: PROJECT_UUID,
        sql: z.string().trim().min(1).max(50_000).describe('One statement.'),
        limit: ROW_LIMIT,
      }),
      outputSchema: ROWS,
      annotations: WRITE_DESTRUCTIVE,
    },
    async ({ projectUuid, sql, limit }, { signal, progress }) => {
      let asked = 0;
      const { rows } = await client.projects.runSql(projectUuid, sql, {
        signal,
        rows: limit + 1,
        onWaiting: (status) => void progress(++asked, undefined, `The query is ${status}.`),
      });
      return answer(shownRows(rows, limit));
    },
  );
}
