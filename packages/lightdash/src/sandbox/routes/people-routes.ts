/** Members of the organization, groups, and members of groups. */

import { ApiProblem, notFound } from '../api-problem.js';
import { holds, numberIn, paged, param, textField, uuidParam, type Exchange } from '../exchange.js';
import { route, type Route } from '../route.js';
import type { Group, GroupMember, GroupWithMembers } from '../../client/group.js';
import { asGroupMember, groupOf, type SandboxGroup } from '../world/people.js';
import { uuidOf } from '../world/uuid.js';

export const PEOPLE_ROUTES: readonly Route[] = [
  route('GET /api/v1/org/users', (exchange) => {
    const search = exchange.query.get('searchQuery');
    const all = [...exchange.world.members.values()];
    return paged(
      exchange,
      all.filter(({ firstName, lastName, email }) =>
        holds(search, `${firstName} ${lastName}`, email),
      ),
    );
  }),
  route('DELETE /api/v1/org/user/{userUuid}', (exchange) => {
    const isThere = exchange.world.members.delete(uuidParam(exchange, 'userUuid'));
    if (!isThere) throw notFound('No matching member found in organization');
  }),
  route('GET /api/v1/org/groups', (exchange) => {
    const search = exchange.query.get('searchQuery');
    const all = [...exchange.world.groups.values()];
    const found = all.filter(({ group }) => holds(search, group.name));
    return paged(
      exchange,
      found.map((each) => shown(each, exchange)),
    );
  }),
  route('POST /api/v1/org/groups', (exchange) => {
    const name = freeName(exchange);
    const { groups } = exchange.world;
    const group = groupOf(uuidOf('group', name, groups.size), name, new Date().toISOString());
    groups.set(group.uuid, { group, members: [] });
    return { ...group, members: [], memberUuids: [] };
  }),
  route('GET /api/v1/groups/{groupUuid}', (exchange) => shown(find(exchange), exchange)),
  route('PATCH /api/v1/groups/{groupUuid}', (exchange) => {
    const { group, members } = find(exchange);
    const { name, members: wanted } = exchange.body as GroupUpdate;
    const changed = {
      group: {
        ...group,
        ...(name === undefined ? {} : { name: freeName(exchange) }),
        updatedAt: new Date().toISOString(),
      },
      members: wanted?.map(({ userUuid }) => memberOf(exchange, userUuid)) ?? members,
    };
    exchange.world.groups.set(group.uuid, changed);
    return withMembers(changed.group, changed.members, changed.members);
  }),
  route('DELETE /api/v1/groups/{groupUuid}', (exchange) => {
    exchange.world.groups.delete(find(exchange).group.uuid);
  }),
];

function find(exchange: Exchange): SandboxGroup {
  const found = exchange.world.groups.get(param(exchange, 'groupUuid'));
  if (!found) throw notFound('No group found');
  return found;
}

function freeName(exchange: Exchange): string {
  const name = textField(exchange, 'name');
  const own = exchange.params.get('groupUuid');
  const isTaken = [...exchange.world.groups.values()].some(
    ({ group }) => group.name === name && group.uuid !== own,
  );
  if (isTaken) throw new ApiProblem(409, 'AlreadyExistsError', 'Group name already exists');
  return name;
}

/** Any number requests members, even zero. */
function shown({ group, members }: SandboxGroup, { query }: Exchange): Group | GroupWithMembers {
  const count = numberIn(query, 'includeMembers');
  if (count === undefined) return group;
  const offset = numberIn(query, 'offset') ?? 0;
  return withMembers(group, members.slice(offset, offset + count), members);
}

/** The UUIDs are those of all members, even if only some are described. */
function withMembers(
  group: Group,
  members: readonly GroupMember[],
  all: readonly GroupMember[],
): GroupWithMembers {
  return { ...group, members, memberUuids: all.map(({ userUuid }) => userUuid) };
}

interface GroupUpdate {
  readonly name?: string;
  readonly members?: readonly { readonly userUuid: string }[];
}

function memberOf({ world }: Exchange, userUuid: string): GroupMember {
  const member = world.members.get(userUuid);
  if (!member) throw notFound('Cannot find user');
  return asGroupMember(member);
}
