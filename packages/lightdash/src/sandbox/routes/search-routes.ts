/** The search over charts, dashboards and spaces. */

import { holds, paged } from '../exchange.js';
import { route, type Route } from '../route.js';
import type { ContentFind, ContentType } from '../../client/content.js';
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

function findsIn({ project, charts, dashboards, spaces }: Library): ContentFind[] {
  const { projectUuid: uuid, name } = project.summary;
  const find = (
    contentType: ContentType,
    each: { uuid: string; slug: string; name: string; description?: string; spaceUuid?: string },
  ): ContentFind => {
    const space = spaces.find((other) => other.uuid === each.spaceUuid);
    return {
      contentType,
      uuid: each.uuid,
      slug: each.slug,
      name: each.name,
      description: each.description ?? null,
      project: { uuid, name },
      space: space ? { uuid: space.uuid, name: space.name } : null,
      lastUpdatedAt: 'updatedAt' in each ? (each.updatedAt as string) : null,
    };
  };
  return [
    ...dashboards.map((each) => find('dashboard', each)),
    ...charts.map((each) => ({ ...find('chart', each), views: each.views })),
    ...spaces.map((each) => find('space', each)),
  ];
}
