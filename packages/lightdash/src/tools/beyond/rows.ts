/** The rows of a query, in the form that all tools return. */

import * as z from 'zod';

import type { ResultRow } from '../../client/metric-query.js';

const MAX_ROWS = 500;
const USUAL_ROWS = 50;

export const ROW_LIMIT: z.ZodDefault<z.ZodInt> = z
  .int()
  .min(1)
  .max(MAX_ROWS)
  .default(USUAL_ROWS)
  .describe('The most rows to return. Aggregate rather than ask for many.');

export const ROWS: z.ZodObject = z.object({
  rows: z.array(z.record(z.string(), z.unknown())),
  rowCount: z.number(),
  hasMoreRows: z.boolean().describe('Whether the limit cut the answer short.'),
});

/** The caller requests one row more than `limit`, to know whether there are more. */
export function shownRows(rows: readonly ResultRow[], limit: number): Record<string, unknown> {
  const shown = rows.slice(0, limit).map(rawValues);
  return { rows: shown, rowCount: shown.length, hasMoreRows: rows.length > limit };
}

/** Numbers stay numbers: a model does not need their formatted text. */
function rawValues(row: ResultRow): Record<string, unknown> {
  return Object.fromEntries(
    Object.entries(row).map(([field, cell]) => [field, cell?.value?.raw ?? null]),
  );
}
