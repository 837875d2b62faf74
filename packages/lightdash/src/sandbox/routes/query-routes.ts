/** Explores, metrics and queries. */

import { ApiProblem, notFound } from '../api-problem.js';
import { bodyField, holds, paged, param, textField, type Exchange } from '../exchange.js';
import { route, type Route } from '../route.js';
import type { Explore } from '../../client/explore.js';
import type { MetricQuery } from '../../client/metric-query.js';
import { rowsOf, sqlOf, unknownFields, type SandboxQuery } from '../world/explores.js';
import { uuidOf } from '../world/uuid.js';
import type { RunningQuery } from '../world/world.js';
import { libraryOf } from './library.js';

const PROJECT = '/api/v1/projects/{projectUuid}';
const QUERY = '/api/v2/projects/{projectUuid}/query';
/** How often a query answers that it is not done yet. */
const PENDING = 2;
const MAX_QUERIES = 1_000;
const PERFORMANCE = { initialQueryExecutionMs: 20, resultsPageExecutionMs: 1, queueTimeMs: 3 };
const NO_QUERY: MetricQuery = {
  exploreName: 'orders',
  dimensions: [],
  metrics: [],
  filters: {},
  sorts: [],
  limit: 0,
  tableCalculations: [],
};

export const QUERY_ROUTES: readonly Route[] = [
  route(`GET ${PROJECT}/explores`, (exchange) =>
    libraryOf(exchange).explores.map(({ name, label, tags }) => {
      const description = `Questions about ${name}.`;
      return { name, label, tags, schemaName: 'jaffle', databaseName: 'postgres', description };
    }),
  ),
  route(`GET ${PROJECT}/explores/{exploreId}`, (exchange) =>
    exploreOf(exchange, param(exchange, 'exploreId')),
  ),
  route(`GET ${PROJECT}/dataCatalog/metrics`, (exchange) => {
    const search = exchange.query.get('search');
    const metrics = libraryOf(exchange).explores.flatMap(({ tables, baseTable }) =>
      Object.values(tables[baseTable]!.metrics).map((metric) => ({
        catalogSearchUuid: uuidOf('catalog', metric.table, metric.name),
        name: metric.name,
        label: metric.label,
        tableName: metric.table,
        tableLabel: metric.tableLabel,
        description: metric.description,
        type: 'field',
        fieldType: 'metric',
        fieldValueType: metric.type,
        basicType: 'number',
        categories: [],
        aiHints: null,
        icon: null,
        owner: null,
      })),
    );
    return paged(
      exchange,
      metrics.filter(({ name, label, description }) => holds(search, name, label, description)),
    );
  }),
  route(`POST ${PROJECT}/explores/{exploreId}/compileQuery`, (exchange) => {
    const query = checked(exchange.body as MetricQuery, exchange, param(exchange, 'exploreId'));
    return { query: sqlOf(query), parameterReferences: [] };
  }),
  route(`POST ${QUERY}/metric-query`, (exchange) => {
    const asked = bodyField(exchange, 'query') as MetricQuery;
    const query = checked(asked, exchange, asked.exploreName);
    return { ...begun(exchange, query), metricQuery: query, fields: {}, warnings: [] };
  }),
  route(`POST ${QUERY}/chart`, (exchange) => {
    const uuid = textField(exchange, 'chartUuid');
    const chart = libraryOf(exchange).charts.find((each) => each.uuid === uuid);
    if (!chart) throw notFound('Saved query not found');
    const limit = Number(bodyField(exchange, 'limit'));
    const query = {
      ...NO_QUERY,
      dimensions: ['orders_status'],
      metrics: ['orders_revenue'],
      limit,
    };
    return { ...begun(exchange, query), metricQuery: query, fields: {}, warnings: [] };
  }),
  route(`POST ${QUERY}/sql`, (exchange) => begun(exchange, readSql(textField(exchange, 'sql')))),
  route(`POST ${PROJECT}/field/{fieldId}/search`, (exchange) => {
    const fieldId = param(exchange, 'fieldId');
    const found = rowsOf(valuesQuery(exchange, fieldId));
    return {
      search: textField(exchange, 'search'),
      results: found.map((row) => row[fieldId]?.value.raw),
      refreshedAt: new Date().toISOString(),
      cached: false,
    };
  }),
  route(`POST ${QUERY}/field-values`, (exchange) => {
    const fieldId = textField(exchange, 'fieldId');
    const query = valuesQuery(exchange, fieldId);
    const { queryUuid, cacheMetadata } = begun(exchange, query);
    return { queryUuid, cacheMetadata, valueFieldId: fieldId, labelFieldId: null };
  }),
  route(`GET ${QUERY}/{queryUuid}`, (exchange) => {
    const running = queryOf(exchange);
    const queryUuid = param(exchange, 'queryUuid');
    if (running.isCancelled) return { status: 'cancelled', queryUuid };
    if (running.pending-- > 0)
      return { status: running.pending ? 'queued' : 'executing', queryUuid };
    const { data, pagination } = paged(exchange, rowsOf(running.query)) as {
      data: object[];
      pagination?: object;
    };
    const metadata = { performance: PERFORMANCE, preAggregate: null };
    const rest = { columns: {}, metadata, pivotDetails: null };
    return { status: 'ready', queryUuid, rows: data, ...rest, ...pagination };
  }),
  route(`POST ${QUERY}/{queryUuid}/cancel`, (exchange) => {
    queryOf(exchange).isCancelled = true;
  }),
];

function exploreOf(exchange: Exchange, name: string): Explore {
  const explore = libraryOf(exchange).explores.find((each) => each.name === name);
  if (!explore) throw notFound(`Explore "${name}" does not exist.`);
  return explore;
}

/** The query for values of a field that contain the text of the request. */
function valuesQuery(exchange: Exchange, fieldId: string): SandboxQuery {
  const explore = exploreOf(exchange, textField(exchange, 'table'));
  const limit = Number(bodyField(exchange, 'limit'));
  const query = { ...NO_QUERY, exploreName: explore.name, dimensions: [fieldId], limit };
  return { ...checked(query, exchange, explore.name), containing: textField(exchange, 'search') };
}

function checked(query: MetricQuery, exchange: Exchange, name: string): MetricQuery {
  const [unknown] = unknownFields(exploreOf(exchange, name), query);
  if (unknown !== undefined) {
    throw new ApiProblem(
      400,
      'FieldReferenceError',
      `Tried to reference field with unknown id: ${unknown}`,
    );
  }
  return { ...query, exploreName: name };
}

interface Begun {
  readonly queryUuid: string;
  readonly cacheMetadata: object;
  readonly [key: string]: unknown;
}

function begun(exchange: Exchange, query: SandboxQuery): Begun {
  const { queries } = exchange.world;
  if (queries.size >= MAX_QUERIES) queries.clear();
  const queryUuid = uuidOf('query', queries.size);
  const project = param(exchange, 'projectUuid');
  queries.set(queryUuid, { query, project, pending: PENDING, isCancelled: false });
  return {
    queryUuid,
    cacheMetadata: { cacheHit: false },
    parameterReferences: [],
    resolvedTimezone: null,
    usedParametersValues: {},
  };
}

/** The SQL that the sandbox supports: a list of columns. Any other statement returns no rows. */
function readSql(sql: string): MetricQuery {
  const [, columns] = /^select\s+(.+?)\s+from\s/i.exec(sql) ?? [];
  if (columns === undefined) return { ...NO_QUERY, limit: 0 };
  const limit = Number(/\blimit\s+(\d+)/i.exec(sql)?.[1] ?? 100);
  return { ...NO_QUERY, dimensions: columns.split(/\s*,\s*/), limit };
}

function queryOf(exchange: Exchange): RunningQuery {
  const running = exchange.world.queries.get(param(exchange, 'queryUuid'));
  if (running?.project === param(exchange, 'projectUuid')) return running;
  throw notFound('Query not found');
}
