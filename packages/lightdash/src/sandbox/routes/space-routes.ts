/** Spaces, their content and their access. */

import { invalid, notFound } from '../api-problem.js';
import { param, textField, type Exchange } from '../exchange.js';
import { route, type Route } from '../route.js';
import type { SpaceIdentity, SpaceRole, SpaceShare } from '../../client/space.js';
import { ADMIN } from '../world/people.js';
import { uuidOf } from '../world/uuid.js';
import type { Library, World } from '../world/world.js';
import { libraryOf } from './library.js';

const SPACE = '/api/v1/projects/{projectUuid}/spaces/{spaceUuid}';
const ROLES: readonly string[] = ['viewer', 'editor', 'admin'];

export const SPACE_ROUTES: readonly Route[] = [
  route('GET /api/v1/projects/{projectUuid}/spaces', (exchange) => {
    const library = libraryOf(exchange);
    return library.spaces.map((space) => summaryOf(space, library, exchange.world));
  }),
  route('POST /api/v1/projects/{projectUuid}/spaces', (exchange) => {
    const library = libraryOf(exchange);
    const { spaces } = library;
    const name = textField(exchange, 'name');
    const { parentSpaceUuid = null } = exchange.body as { parentSpaceUuid?: string };
    const slug = name.toLowerCase().replaceAll(/[^a-z0-9]+/g, '-');
    const uuid = uuidOf('space', param(exchange, 'projectUuid'), slug, spaces.length);
    const space = { ...spaces[0]!, uuid, name, slug, path: slug, parentSpaceUuid };
    spaces.push(space);
    return detailOf(space, library, exchange.world);
  }),
  route(`GET ${SPACE}`, (exchange) => {
    const library = libraryOf(exchange);
    return detailOf(spaceOf(exchange, library), library, exchange.world);
  }),
  route(`POST ${SPACE}/share`, (exchange) => {
    const { uuid } = spaceAnywhere(exchange);
    const user = textField(exchange, 'userUuid');
    if (!exchange.world.members.has(user)) throw notFound('Cannot find user');
    sharesOf(exchange.world.userShares, uuid).set(user, roleIn(exchange));
  }),
  route(`DELETE ${SPACE}/share/{userUuid}`, (exchange) => {
    const { uuid } = spaceAnywhere(exchange);
    sharesOf(exchange.world.userShares, uuid).delete(param(exchange, 'userUuid'));
  }),
  route(`POST ${SPACE}/group/share`, (exchange) => {
    const { uuid } = spaceAnywhere(exchange);
    const groupUuid = textField(exchange, 'groupUuid');
    const found = exchange.world.groups.get(groupUuid);
    if (!found) throw notFound('No group found');
    const spaceRole = roleIn(exchange);
    const access = { groupUuid, groupName: found.group.name, spaceRole };
    sharesOf(exchange.world.groupShares, uuid).set(groupUuid, access);
  }),
  route(`DELETE ${SPACE}/group/share/{groupUuid}`, (exchange) => {
    const { uuid } = spaceAnywhere(exchange);
    sharesOf(exchange.world.groupShares, uuid).delete(param(exchange, 'groupUuid'));
  }),
];

function spaceOf(exchange: Exchange, { spaces }: Library): SpaceIdentity {
  const space = spaceAnywhere(exchange);
  if (spaces.includes(space)) return space;
  throw notFound(`Space with uuid ${space.uuid} not found`);
}

/** For changes of access, Lightdash ignores the project in the address. */
function spaceAnywhere(exchange: Exchange): SpaceIdentity {
  const wanted = param(exchange, 'spaceUuid');
  const all = [...exchange.world.libraries.values()].flatMap(({ spaces }) => spaces);
  const space = all.find(({ uuid }) => uuid === wanted);
  if (!space) throw notFound(`Space with uuid ${wanted} does not exist`);
  return space;
}

function roleIn(exchange: Exchange): SpaceRole {
  const role = textField(exchange, 'spaceRole');
  if (!ROLES.includes(role))
    throw invalid('requestBody.spaceRole', 'should be one of the roles', role);
  return role as SpaceRole;
}

function sharesOf<T>(shares: Map<string, Map<string, T>>, space: string): Map<string, T> {
  const found = shares.get(space) ?? new Map<string, T>();
  shares.set(space, found);
  return found;
}

function countsOf(space: SpaceIdentity, library: Library): object {
  const isHere = ({ spaceUuid }: { spaceUuid: string }): boolean => spaceUuid === space.uuid;
  const { inheritsFromOrgOrProject: _, ...identity } = space;
  return {
    ...identity,
    chartCount: library.charts.filter(isHere).length,
    dashboardCount: library.dashboards.filter(isHere).length,
    childSpaceCount: childrenOf(space, library).length,
    appCount: 0,
  };
}

function summaryOf(space: SpaceIdentity, library: Library, world: World): object {
  return {
    ...countsOf(space, library),
    inheritsFromOrgOrProject: space.inheritsFromOrgOrProject,
    access: [...sharesOf(world.userShares, space.uuid).keys()],
    userAccess: OWN_ACCESS,
  };
}

function detailOf(space: SpaceIdentity, library: Library, world: World): object {
  const isHere = ({ spaceUuid }: { spaceUuid: string }): boolean => spaceUuid === space.uuid;
  return {
    ...space,
    queries: library.charts.filter(isHere),
    dashboards: library.dashboards
      .filter(isHere)
      .map((each) => ({ ...each, tileTypes: undefined })),
    childSpaces: childrenOf(space, library).map((child) => countsOf(child, library)),
    access: [OWN_SHARE],
    groupsAccess: [...sharesOf(world.groupShares, space.uuid).values()],
    colorPaletteUuid: null,
    breadcrumbs: trailOf(space, library).map(({ uuid, name }) => ({ uuid, name, hasAccess: true })),
  };
}

function childrenOf({ uuid }: SpaceIdentity, { spaces }: Library): SpaceIdentity[] {
  return spaces.filter(({ parentSpaceUuid }) => parentSpaceUuid === uuid);
}

/** From the top of the tree to the space itself. */
function trailOf(space: SpaceIdentity, library: Library): SpaceIdentity[] {
  const parent = library.spaces.find(({ uuid }) => uuid === space.parentSpaceUuid);
  return parent ? [...trailOf(parent, library), space] : [space];
}

const OWN_ACCESS = {
  userUuid: ADMIN,
  role: 'admin',
  hasDirectAccess: false,
  inheritedRole: 'admin',
  inheritedFrom: 'organization',
} as const;

const OWN_SHARE: SpaceShare = {
  ...OWN_ACCESS,
  firstName: 'Ada',
  lastName: 'Admin',
  email: 'demo@lightdash.com',
  isInternal: false,
  avatarUrl: null,
  avatarGradient: null,
};
