/** The explores of every project of the sandbox, and the results of their queries. */

import type { Explore, ExploreField, ExploreTable } from '../../client/explore.js';
import type { MetricQuery, ResultRow } from '../../client/metric-query.js';
import { numberOf } from './uuid.js';

/** Tables with dimensions and metrics. A type follows a colon if it is not the default. */
const TABLES: readonly [string, string, string][] = [
  ['orders', 'order_id,status,order_date:date,shipping_country', 'order_count:count,revenue:sum'],
  ['customers', 'customer_id,first_name,segment,created:date', 'customer_count:count_distinct'],
  ['payments', 'payment_id,method,amount:number,paid_at:timestamp', 'total_paid:sum,largest:max'],
  ['products', 'sku,category,price:number', 'product_count:count,average_price:average'],
  ['sessions', 'session_id,device,channel,started_at:timestamp', 'session_count:count'],
  ['tickets', 'ticket_id,topic,opened_at:timestamp', 'ticket_count:count'],
];

export function createExplores(): Explore[] {
  const tables = new Map(TABLES.map((each) => [each[0], tableOf(each)]));
  return Array.from(tables, ([name, table]) => {
    const joined = name === 'orders' ? ['customers'] : [];
    const used = [name, ...joined].map((each) => [each, tables.get(each)!]);
    return {
      name,
      label: table.label,
      tags: [],
      baseTable: name,
      joinedTables: joined.map((each) => {
        const sqlOn = `\${${name}.customer_id} = \${${each}.customer_id}`;
        return { table: each, sqlOn, compiledSqlOn: sqlOn };
      }),
      tables: Object.fromEntries(used) as Record<string, ExploreTable>,
      targetDatabase: 'postgres',
    };
  });
}

function tableOf([name, dimensions, metrics]: readonly [string, string, string]): ExploreTable {
  const label = labelOf(name);
  const fieldOf = (text: string, fieldType: 'dimension' | 'metric'): [string, ExploreField] => {
    const [field = '', type = 'string'] = text.split(':');
    const sql =
      fieldType === 'metric' ? `${type.toUpperCase()}(\${TABLE}.${field})` : `\${TABLE}.${field}`;
    const described = `${labelOf(field)} of ${name}.`;
    return [
      field,
      {
        name: field,
        label: labelOf(field),
        table: name,
        tableLabel: label,
        fieldType,
        type,
        description: described,
        sql,
        compiledSql: sql,
        // Keys are not useful for people.
        hidden: field.endsWith('_id'),
      },
    ];
  };
  return {
    name,
    label,
    description: `All ${name}.`,
    database: 'postgres',
    schema: 'jaffle',
    sqlTable: name,
    lineageGraph: {},
    dimensions: Object.fromEntries(dimensions.split(',').map((each) => fieldOf(each, 'dimension'))),
    metrics: Object.fromEntries(metrics.split(',').map((each) => fieldOf(each, 'metric'))),
  };
}

/** The fields of a query that the explore does not have. */
export function unknownFields(explore: Explore, query: MetricQuery): string[] {
  const known = new Set(
    Object.values(explore.tables).flatMap(({ name, dimensions, metrics }) =>
      [...Object.keys(dimensions), ...Object.keys(metrics)].map((field) => `${name}_${field}`),
    ),
  );
  return [...query.dimensions, ...query.metrics].filter((field) => !known.has(field));
}

export function sqlOf(query: MetricQuery): string {
  const fields = [...query.dimensions, ...query.metrics].map((field) => `"${field}"`).join(', ');
  const groups = query.dimensions.map((_, index) => index + 1).join(',');
  return [
    `SELECT ${fields}`,
    `FROM "postgres"."jaffle"."${query.exploreName}" AS "${query.exploreName}"`,
    ...(groups === '' || query.metrics.length === 0 ? [] : [`GROUP BY ${groups}`]),
    `LIMIT ${query.limit}`,
  ].join('\n');
}

/** A query of the sandbox. */
export interface SandboxQuery extends MetricQuery {
  /** Rows whose first dimension contains it. Default: any row. */
  readonly containing?: string | undefined;
}

/** How many different values a dimension has, for searches. */
const MAX_VALUES = 50;

/** The rows of a query, the same every time. */
export function rowsOf(query: SandboxQuery): ResultRow[] {
  const { containing, dimensions, limit } = query;
  if (containing !== undefined) {
    const all = rowsOf({ ...query, containing: undefined, limit: MAX_VALUES });
    const [field = ''] = dimensions;
    const wanted = containing.toLowerCase();
    return all.filter((row) => row[field]?.value.formatted.includes(wanted)).slice(0, limit);
  }
  return Array.from({ length: Math.min(query.limit, 2_000) }, (_, row) => {
    const text = (field: string): string => `${field} ${row + 1}`;
    const cells = [
      ...query.dimensions.map((field) => [
        field,
        { value: { raw: text(field), formatted: text(field) } },
      ]),
      ...query.metrics.map((field) => {
        const raw = numberOf(10_000, field, row);
        return [field, { value: { raw, formatted: raw.toLocaleString('en-US') } }];
      }),
    ];
    return Object.fromEntries(cells) as ResultRow;
  });
}

function labelOf(name: string): string {
  const words = name.replaceAll('_', ' ');
  return words.charAt(0).toUpperCase() + words.slice(1);
}
