/** The search over charts, dashboards and spaces. */

import { holds, paged } from '../exchange.js';
import { route, type Route } from '../route.js';
import type { Content, ContentFind, ContentType } from '../../client/content.js';
import { ORGANIZATION } from '../world/people.js';
import { dateOf } from '../world/uuid.js';
import type { Library } from '../world/world.js';

export const SEARCH_ROUTES: readonly Route[] = [
  route('GET /api/v2/content', (exchange) => {
    const { query, world } = exchange;
    const projects = query.getAll('projectUuids');
    const types = query.getAll('contentTypes');
    const search = query.get('search');
    const finds = [...world.libraries.values()]
      .filter(
        ({ project }) => projects.length === 0 || projects.includes(project.summary.projectUuid),
      )
      .flatMap(findsIn)
      .filter(({ contentType }) => types.length === 0 || types.includes(contentType))
      .filter(({ name, description }) => holds(search, name, description ?? ''));
    return paged(exchange, finds);
  }),
];

function findsIn(library: Library): ContentFind[] {
  const { charts, dashboards, spaces } = library;
  return [
    ...dashboards.map((each) => findOf('dashboard', each, library)),
    ...charts.map((each) => {
      const { chartKind, source } = each;
      return { ...findOf('chart', each, library), dashboard: null, chartKind, source };
    }),
    ...spaces.map((each) => {
      const { inheritParentPermissions, parentSpaceUuid, path } = each;
      const counts = { chartCount: 0, dashboardCount: 0, childSpaceCount: 0, appCount: 0 };
      const own = { inheritParentPermissions, parentSpaceUuid, path, access: [], ...counts };
      return { ...findOf('space', { ...each, spaceUuid: each.uuid }, library), ...own };
    }),
  ];
}

type Found = Pick<Content, 'uuid' | 'slug' | 'name' | 'spaceUuid'> & Partial<Content>;

function findOf(contentType: ContentType, each: Found, { project, spaces }: Library): ContentFind {
  const { uuid, slug, name, description = null, spaceUuid } = each;
  const { updatedAt = null, views = 0, firstViewedAt = null, verification = null } = each;
  const space = spaces.find((other) => other.uuid === spaceUuid)!;
  return {
    contentType,
    uuid,
    slug,
    name,
    description,
    views,
    firstViewedAt,
    verification,
    project: { uuid: project.summary.projectUuid, name: project.summary.name },
    organization: { uuid: ORGANIZATION, name: 'Jaffle organization' },
    space: { uuid: space.uuid, name: space.name },
    pinnedList: null,
    createdAt: updatedAt ?? dateOf(0),
    createdBy: null,
    lastUpdatedAt: updatedAt,
    lastUpdatedBy: null,
  };
}
