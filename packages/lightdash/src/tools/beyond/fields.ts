/** The lineage of a field, and its values. */

import { READ_ONLY_DEFAULT } from '@callsign/toolkit';
import * as z from 'zod';

import type { Explore, ExploreField } from '../../client/explore.js';
import { LightdashError } from '../../client/lightdash-error.js';
import { answer } from '../answer.js';
import { PROJECT_UUID } from '../argument.js';
import type { Toolbox } from '../toolbox.js';
import { EXPLORE_ID } from './explore-id.js';

const FIELD = {
  projectUuid: PROJECT_UUID,
  exploreId: EXPLORE_ID,
  fieldId: z
    .string()
    .min(1)
    .max(255)
    .describe('The id of a dimension or metric, as list_dimensions and list_metrics give it.'),
};

/** `${orders.amount}`, `${amount}`, `${TABLE}.amount`. */
const REFERENCE = /\$\{\s*([\w.]+)\s*\}(?:\.["`]?(\w+)["`]?)?/g;

export function registerFieldTools({ server, registerToolSafe, client }: Toolbox): void {
  registerToolSafe(
    server,
    'get_field_lineage',
    {
      title: 'Get field lineage',
      description:
        'Finds the fields and columns that a dimension or metric of a Lightdash explore is computed from.',
      inputSchema: z.strictObject(FIELD),
      outputSchema: z.object({
        fieldId: z.string(),
        sql: z.string(),
        fields: z.array(z.string()).describe('Ids of all fields behind it, the nearest first.'),
        columns: z.array(z.string()).describe('Columns of tables, as table.column.'),
        tables: z.array(z.string()),
      }),
      annotations: READ_ONLY_DEFAULT,
    },
    async ({ projectUuid, exploreId, fieldId }, { signal }) => {
      const explore = await client.getExplore(projectUuid, exploreId, { signal });
      return answer(lineageOf(explore, fieldId));
    },
  );

  registerToolSafe(
    server,
    'search_field_values',
    {
      title: 'Search field values',
      description:
        'Finds values of a dimension of a Lightdash explore that contain a text, to filter by. It runs a small query in the warehouse.',
      inputSchema: z.strictObject({
        ...FIELD,
        search: z.string().max(200).default('').describe('The text; empty for any value.'),
        limit: z.int().min(1).max(100).default(20).describe('The most values to return.'),
      }),
      outputSchema: z.object({ values: z.array(z.unknown()) }),
      annotations: READ_ONLY_DEFAULT,
    },
    async ({ projectUuid, exploreId, fieldId, search, limit }, { signal }) => {
      const wanted = { fieldId, table: exploreId, search, limit };
      const values = await client.projects.searchFieldValues(projectUuid, wanted, { signal });
      return answer({ values: values.slice(0, limit) });
    },
  );
}

/** Follows the references in the SQL of a field. A field that refers to itself is visited once. */
function lineageOf(explore: Explore, fieldId: string): Record<string, unknown> {
  const byId = fieldsById(explore);
  const field = byId.get(fieldId);
  if (!field) {
    throw new LightdashError(
      'not-found',
      `The explore ${explore.name} has no field ${fieldId}. list_dimensions and list_metrics give the ids.`,
    );
  }
  const fields = new Set<string>();
  const columns = new Set<string>();
  const waiting: ExploreField[] = [field];
  for (let next = waiting.shift(); next; next = waiting.shift()) {
    for (const [, name = '', column] of next.sql.matchAll(REFERENCE)) {
      if (name === 'TABLE') {
        if (column !== undefined) columns.add(`${next.table}.${column}`);
        continue;
      }
      const [table, own] = name.includes('.') ? name.split('.') : [next.table, name];
      const id = `${table}_${own}`;
      const behind = byId.get(id);
      if (!behind || id === fieldId || fields.has(id)) continue;
      fields.add(id);
      waiting.push(behind);
    }
  }
  const used = [fieldId, ...fields].map((id) => byId.get(id)!.table);
  return {
    fieldId,
    sql: field.sql,
    fields: [...fields],
    columns: [...columns],
    tables: [...new Set(used)],
  };
}

function fieldsById(explore: Explore): Map<string, ExploreField> {
  const tables = Object.values(explore.tables ?? {});
  const all = tables.flatMap(({ dimensions, metrics }) => [
    ...Object.values(dimensions ?? {}),
    ...Object.values(metrics ?? {}),
  ]);
  return new Map(all.map((field) => [`${field.table}_${field.name}`, field]));
}
