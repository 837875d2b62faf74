/** Projects, their charts and their dashboards. */

import { bodyField, deprecated, numberIn, param, textField, type Exchange } from '../exchange.js';
import { route, type Route } from '../route.js';
import { libraryOf } from './library.js';

const CODE_PAGE = 100;

export const PROJECT_ROUTES: readonly Route[] = [
  route('GET /api/v1/org/projects', ({ world }) =>
    Array.from(world.libraries.values(), ({ project }) => project.summary),
  ),
  route('GET /api/v1/projects/{projectUuid}', (exchange) => libraryOf(exchange).project.detail),
  route('GET /api/v1/projects/{projectUuid}/charts', (exchange) => libraryOf(exchange).charts),
  route(
    'GET /api/v1/projects/{projectUuid}/dashboards',
    (exchange) => libraryOf(exchange).dashboards,
  ),
  route('GET /api/v1/projects/{projectUuid}/code/charts', chartsAsCode),
  route('GET /api/v1/projects/{projectUuid}/charts/code', (exchange) => {
    deprecated(exchange, 'GET /api/v1/projects/{projectUuid}/code/charts');
    return chartsAsCode(exchange);
  }),
  route('POST /api/v1/projects/{projectUuid}/code/charts/{slug}', upsertChart),
  route('POST /api/v1/projects/{projectUuid}/charts/{slug}/code', (exchange) => {
    deprecated(exchange, 'POST /api/v1/projects/{projectUuid}/code/charts/{slug}');
    return upsertChart(exchange);
  }),
  route('GET /api/v1/projects/{projectUuid}/code/dashboards', dashboardsAsCode),
  route('POST /api/v1/projects/{projectUuid}/code/dashboards/{slug}', upsertDashboard),
];

function chartsAsCode(exchange: Exchange): object {
  const { charts, spaces } = libraryOf(exchange);
  const ids = exchange.query.getAll('ids');
  const offset = numberIn(exchange.query, 'offset') ?? 0;
  const wanted = ids.length === 0 ? charts : charts.filter(({ slug }) => ids.includes(slug));
  const known = new Set(charts.map(({ slug }) => slug));
  return {
    charts: wanted
      .slice(offset, offset + CODE_PAGE)
      .map(({ name, slug, description, ...chart }) => {
        const space = spaces.find(({ uuid }) => uuid === chart.spaceUuid)!;
        return {
          name,
          slug,
          description,
          tableName: 'orders',
          metricQuery: {
            exploreName: 'orders',
            dimensions: ['orders_status'],
            metrics: ['orders_revenue'],
            filters: {},
            sorts: [],
            limit: 500,
            tableCalculations: [],
          },
          chartConfig: { type: chart.chartType },
          spaceSlug: space.slug,
          version: 1,
          updatedAt: chart.updatedAt,
        };
      }),
    spaces: [],
    missingIds: ids.filter((id) => !known.has(id)),
    total: wanted.length,
    offset: Math.min(offset + CODE_PAGE, wanted.length),
  };
}

function upsertChart(exchange: Exchange): object {
  const { charts, spaces } = libraryOf(exchange);
  const slug = param(exchange, 'slug');
  const name = textField(exchange, 'name');
  bodyField(exchange, 'metricQuery');
  const index = charts.findIndex((chart) => chart.slug === slug);
  const base = charts[index] ?? { ...charts[0]!, uuid: slug, slug, spaceUuid: spaces[0]!.uuid };
  const chart = { ...base, name, updatedAt: new Date().toISOString() };
  if (index === -1) charts.push(chart);
  else charts[index] = chart;
  const action = index === -1 ? 'create' : 'update';
  return { charts: [{ action, data: { uuid: chart.uuid } }], spaces: [], dashboards: [] };
}

function dashboardsAsCode(exchange: Exchange): object {
  const { dashboards, spaces } = libraryOf(exchange);
  const ids = exchange.query.getAll('ids');
  const offset = numberIn(exchange.query, 'offset') ?? 0;
  const wanted = dashboards.filter(({ slug }) => ids.length === 0 || ids.includes(slug));
  const known = new Set(dashboards.map(({ slug }) => slug));
  return {
    dashboards: wanted
      .slice(offset, offset + CODE_PAGE)
      .map(({ name, slug, tileTypes, spaceUuid }) => {
        const tiles = tileTypes.map((type, index) => {
          return { type, x: 0, y: index, w: 12, h: 6, properties: {} };
        });
        const spaceSlug = spaces.find(({ uuid }) => uuid === spaceUuid)!.slug;
        return { name, slug, spaceSlug, tiles, tabs: [], version: 1 };
      }),
    spaces: [],
    missingIds: ids.filter((id) => !known.has(id)),
    total: wanted.length,
    offset: Math.min(offset + CODE_PAGE, wanted.length),
  };
}

function upsertDashboard(exchange: Exchange): object {
  const { dashboards } = libraryOf(exchange);
  const slug = param(exchange, 'slug');
  const name = textField(exchange, 'name');
  const index = dashboards.findIndex((dashboard) => dashboard.slug === slug);
  const base = dashboards[index] ?? { ...dashboards[0]!, uuid: slug, slug };
  const dashboard = { ...base, name, updatedAt: new Date().toISOString() };
  if (index === -1) dashboards.push(dashboard);
  else dashboards[index] = dashboard;
  const action = index === -1 ? 'create' : 'update';
  return { dashboards: [{ action, data: { uuid: dashboard.uuid } }], charts: [], spaces: [] };
}
