/** Tags, scheduled deliveries, and the check of a project's content. */

import { holds, paged, type Exchange } from '../exchange.js';
import { route, type Route } from '../route.js';
import { ADMIN } from '../world/people.js';
import { dateOf, uuidOf } from '../world/uuid.js';
import { libraryOf } from './library.js';

const TAGS = ['finance', 'core', 'experimental'];

export const UPKEEP_ROUTES: readonly Route[] = [
  route('GET /api/v1/projects/{projectUuid}/tags', (exchange) => {
    const { projectUuid } = libraryOf(exchange).project.summary;
    return TAGS.map((name, index) => ({
      tagUuid: uuidOf('tag', projectUuid, name),
      projectUuid,
      name,
      color: '#334155',
      createdAt: dateOf(index),
      createdBy: null,
      yamlReference: null,
    }));
  }),
  route('GET /api/v1/schedulers/{projectUuid}/list', (exchange) => {
    const search = exchange.query.get('searchQuery');
    const found = schedulersOf(exchange).filter(({ name }) => holds(search, name));
    return paged(exchange, found);
  }),
  route('POST /api/v1/projects/{projectUuid}/validate', (exchange) => {
    const { projectUuid } = libraryOf(exchange).project.summary;
    exchange.world.validated.add(projectUuid);
    return { jobId: uuidOf('job', projectUuid, exchange.world.validated.size) };
  }),
  route('GET /api/v1/projects/{projectUuid}/validate', problemsOf),
  route('GET /api/v2/projects/{projectUuid}/validate', (exchange) =>
    paged(exchange, problemsOf(exchange)),
  ),
];

function schedulersOf(exchange: Exchange): { name: string }[] {
  const { dashboards } = libraryOf(exchange);
  return dashboards.slice(0, 8).map(({ uuid, name, updatedAt }, index) => ({
    schedulerUuid: uuidOf('scheduler', uuid),
    name: `${name}, every morning`,
    slug: uuidOf('scheduler', uuid).slice(0, 8),
    format: index % 2 === 0 ? 'image' : 'csv',
    cron: '0 7 * * 1-5',
    timezone: 'UTC',
    enabled: index !== 3,
    savedChartUuid: null,
    savedChartName: null,
    savedSqlUuid: null,
    savedSqlName: null,
    appUuid: null,
    appName: null,
    dashboardUuid: uuid,
    dashboardName: name,
    options: {},
    includeLinks: true,
    plainTextEmail: false,
    selectedTabs: null,
    createdBy: ADMIN,
    createdByName: 'Ada Admin',
    createdAt: updatedAt,
    updatedAt,
    targets: [],
  }));
}

/** Empty before the first check; then a chart with a missing field. */
function problemsOf(exchange: Exchange): object[] {
  const { project, charts } = libraryOf(exchange);
  if (!exchange.world.validated.has(project.summary.projectUuid)) return [];
  return charts.slice(0, 2).map(({ uuid, name, views }, index) => ({
    validationId: index + 1,
    validationUuid: uuidOf('problem', uuid),
    projectUuid: project.summary.projectUuid,
    chartViews: views,
    name,
    error: "Dimension error: the field 'orders_old_status' no longer exists",
    errorType: 'dimension',
    source: 'chart',
    chartUuid: uuid,
    createdAt: dateOf(7_200),
  }));
}
